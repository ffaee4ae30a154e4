// npm run generate: generates the Prisma client, which the sources need and git does not contain. `--if-stale` skips it
// if current.
import { ensureGenerated } from "./generated-client.mjs";
import { prepareScript } from "./install.mjs";

await prepareScript({ development: false });
try {
  ensureGenerated({ force: !process.argv.includes("--if-stale") });
} catch (error) {
  process.stderr.write(`gatehouse: ${error.message}\n`);
  process.exitCode = 1;
}
