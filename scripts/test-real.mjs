// npm run test:real: the stories against the cluster that KUBECONFIG names (docs/testing-against-real-controllers.md).
import { prepareScript } from "./install.mjs";
import { runNode } from "./steps.mjs";
import { countVitest, forgetReport } from "./test-counts.mjs";
import { prepareSources } from "./verify-checks.mjs";

const report = "test-results/real.json";

if (!process.env.KUBECONFIG) {
  process.stdout.write("gatehouse tests against real controllers: skipped, KUBECONFIG is not set\n");
} else {
  await prepareScript();
  await prepareSources();
  forgetReport(report);
  const { ok } = await runNode(
    [
      "node_modules/vitest/vitest.mjs",
      "run",
      "--config=vitest.real.config.ts",
      "--passWithNoTests=false",
      "--reporter=verbose",
      "--reporter=json",
      `--outputFile.json=${report}`,
      ...process.argv.slice(2),
    ],
    { live: true },
  );
  const { passed, failed, skipped } = countVitest(report);
  const failures = ok || failed > 0 ? failed : 1;
  process.stdout.write(`gatehouse tests: ${passed} passed, ${failures} failed, ${skipped} skipped\n`);
  process.exitCode = failures === 0 ? 0 : 1;
}
