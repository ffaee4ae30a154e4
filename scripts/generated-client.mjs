import { spawnSync } from "node:child_process";
import { delimiter, join } from "node:path";
import { nodeForTypeScript, projectRoot } from "./install.mjs";
import { hashSources, isStamped, writeStamp } from "./stamp.mjs";

const stampFile = "lib/server/platform/db/generated/.stamp";

/** Generates the Prisma client if it is missing or older than its schema (or always, with `force`). */
export function ensureGenerated({ force = false } = {}) {
  const hash = hashSources({ paths: ["prisma/schema.prisma", "prisma.config.ts", "package-lock.json"] });
  if (!force && isStamped({ stampFile, hash })) return;
  runGenerators([]);
  writeStamp({ stampFile, hash });
}

/** Runs `prisma generate`. */
export function runGenerators(options) {
  const prisma = join(projectRoot, "node_modules/prisma/build/index.js");
  const result = spawnSync(nodeForTypeScript(), [prisma, "generate", ...options], {
    cwd: projectRoot,
    encoding: "utf8",
    // The generator needs no native schema engine, and the CLI would try to download one.
    env: {
      ...process.env,
      // Prisma starts the other generators by name.
      PATH: [join(projectRoot, "node_modules/.bin"), process.env.PATH].join(delimiter),
      PRISMA_SCHEMA_ENGINE_BINARY: "/bin/true",
      PRISMA_HIDE_UPDATE_MESSAGE: "1",
      CHECKPOINT_DISABLE: "1",
    },
  });
  if (result.status !== 0) throw new Error(`prisma generate failed: ${result.stdout}${result.stderr}`);
}
