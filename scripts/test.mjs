// npm test: installs missing packages and runs everything. Its last line sums up all runners.
import { existsSync } from "node:fs";
import { describeHeavyPages, measurePages } from "./bundle-size.mjs";
import { browserPackage, findBrowser } from "./find-browser.mjs";
import { prepareScript, run } from "./install.mjs";
import { runChecks, runNode } from "./steps.mjs";
import { addCounts, countPlaywright, countVitest, forgetReport } from "./test-counts.mjs";
import { prepareSources, unitReport, verifyChecks } from "./verify-checks.mjs";

const integrationReport = "test-results/integration.json";
const browserReport = "test-results/e2e.json";

await prepareScript();
if (!(await ensureBrowser())) process.exit(1);
await ensurePooler();
for (const report of [unitReport, integrationReport, browserReport]) forgetReport(report);

const counts = [await runVerify()];
// Before the integration tests: one of them packs the build.
const build = await runBuild();
counts.push(build, await runIntegration());
counts.push(
  build.failed > 0
    ? { passed: 0, failed: 1, failures: ["browser tests: not run without a build"] }
    : await runBrowser(),
);
const { passed, failed, skipped, failures, flaky } = addCounts(...counts);
if (flaky.length > 0) process.stdout.write(`\nwhat passed only when it was tried again\n${flaky.join("\n")}\n`);
// A long log is often kept by its end only.
if (failed > 0) process.stdout.write(`\nwhat failed\n${failures.join("\n")}\n`);
process.stdout.write(`gatehouse tests: ${passed} passed, ${failed} failed, ${skipped} skipped\n`);
process.exitCode = failed === 0 ? 0 : 1;

async function ensureBrowser() {
  if (findBrowser() !== undefined) return true;
  if (process.getuid?.() !== 0) {
    process.stderr.write(
      `gatehouse tests: the browser is missing: install the package ${browserPackage} (apt-get install ${browserPackage})\n`,
    );
    return false;
  }
  await installPackage(browserPackage);
  if (findBrowser() !== undefined) return true;
  process.stderr.write(`gatehouse tests: the package ${browserPackage} could not be installed\n`);
  return false;
}

/** Installs the pooler if this may be done: without it, the tests behind one are skipped. */
async function ensurePooler() {
  if (existsSync("/usr/sbin/pgbouncer")) return;
  if (process.getuid?.() === 0) await installPackage("pgbouncer").catch(() => {});
  if (!existsSync("/usr/sbin/pgbouncer"))
    process.stderr.write("gatehouse tests: without the package pgbouncer, the tests behind a pooler are skipped\n");
}

async function installPackage(name) {
  process.stderr.write(`gatehouse tests: installing the package ${name}\n`);
  const options = { stdio: ["ignore", 2, 2], env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } };
  await run("apt-get", ["update", "-qq"], options);
  await run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", name], options);
}

async function runVerify() {
  await prepareSources();
  const checks = await runChecks(verifyChecks.filter(({ name }) => name !== "unit tests"));
  heading("unit tests");
  const unit = verifyChecks.find(({ name }) => name === "unit tests");
  const { ok, output } = await unit.run();
  process.stdout.write(`${output.trimEnd()}\n`);
  return addCounts(checks, atLeastOneFailure(countVitest(unitReport), ok));
}

async function runIntegration() {
  heading("integration tests");
  const { ok } = await runNode(
    [
      "node_modules/vitest/vitest.mjs",
      "run",
      "--project=integration",
      "--project=isolated",
      "--passWithNoTests=false",
      "--reporter=default",
      "--reporter=json",
      `--outputFile.json=${integrationReport}`,
    ],
    { live: true },
  );
  return atLeastOneFailure(countVitest(integrationReport), ok);
}

function runBuild() {
  heading("build");
  return runChecks([
    {
      name: "build and page sizes",
      run: async () => {
        const build = await runNode(["scripts/build.mjs", "--if-stale"]);
        if (!build.ok) return build;
        const pages = measurePages();
        for (const { route, bytes } of pages) process.stdout.write(`      ${route}: ${(bytes / 1024).toFixed(1)} KB\n`);
        const lines = describeHeavyPages(pages);
        return { ok: lines.length === 0, output: lines.join("\n") };
      },
    },
  ]);
}

async function runBrowser() {
  heading("browser tests");
  const { ok } = await runNode(["node_modules/@playwright/test/cli.js", "test"], { live: true });
  return atLeastOneFailure(countPlaywright(browserReport), ok);
}

/** Counts a runner that fails although no test failed (broken set-up, no tests found). */
function atLeastOneFailure(count, ok) {
  if (ok || count.failed > 0) return count;
  return { ...count, failed: 1, failures: ["a runner failed although no test did: see its output above"] };
}

function heading(text) {
  process.stdout.write(`\n${text}\n`);
}
