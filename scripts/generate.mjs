// npm run generate: makes what the sources need and git does not hold, the Prisma client. `--if-stale` spares the work.
import { ensureGenerated } from "./generated-client.mjs";
import { prepareScript } from "./install.mjs";

await prepareScript();
try {
  ensureGenerated({ force: !process.argv.includes("--if-stale") });
} catch (error) {
  process.stderr.write(`gatehouse: ${error.message}\n`);
  process.exitCode = 1;
}
