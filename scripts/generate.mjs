// Makes what the sources need and git does not hold: the Prisma client. `--if-stale` makes it only where needed.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { nodeForTypeScript, prepareScript, projectRoot } from "./install.mjs";
import { hashSources, isStamped, writeStamp } from "./stamp.mjs";

await prepareScript();
const stampFile = "lib/server/db/generated/.stamp";
const hash = hashSources({ paths: ["prisma/schema.prisma", "prisma.config.ts", "package-lock.json"] });
if (!(process.argv.includes("--if-stale") && isStamped({ stampFile, hash }))) {
  const result = spawnSync(nodeForTypeScript(), [join(projectRoot, "node_modules/prisma/build/index.js"), "generate"], {
    cwd: projectRoot,
    encoding: "utf8",
    // The generator needs no native schema engine, and the CLI would try to download one.
    env: {
      ...process.env,
      PRISMA_SCHEMA_ENGINE_BINARY: "/bin/true",
      PRISMA_HIDE_UPDATE_MESSAGE: "1",
      CHECKPOINT_DISABLE: "1",
    },
  });
  if (result.status !== 0) {
    process.stderr.write(`${result.stdout}${result.stderr}gatehouse: prisma generate failed\n`);
    process.exit(1);
  }
  writeStamp({ stampFile, hash });
}
