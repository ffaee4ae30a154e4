// npm run verify: format, lint, types, import rules, dead code, documents, unit tests. No database, under a minute.
import { prepareScript } from "./install.mjs";
import { runChecks } from "./steps.mjs";
import { prepareSources, verifyChecks } from "./verify-checks.mjs";

await prepareScript();
await prepareSources();
const { passed, failed } = await runChecks(verifyChecks);
process.stdout.write(`gatehouse verify: ${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
