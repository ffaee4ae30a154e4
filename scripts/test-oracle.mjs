// npm run test:oracle: our engine beside the code of Argo Rollouts itself (test/oracle/main.ts). Needs Go and unzip.
import { prepareScript } from "./install.mjs";
import { runNode } from "./steps.mjs";

await prepareScript();
const { ok } = await runNode(["test/oracle/main.ts", ...process.argv.slice(2)], { live: true });
process.exitCode = ok ? 0 : 1;
