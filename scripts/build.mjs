// Builds the web application and bundles the commands for production. `--if-stale` builds only what has changed since.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { bundleExtension } from "./argocd-extension.mjs";
import { placeholder, takeOutBasePath } from "./base-path.mjs";
import { lockBuild } from "./build-lock.mjs";
import { bundleCommands, bundleThreads, findBundle } from "./bundle.mjs";
import { nodeForTypeScript, prepareScript, projectRoot } from "./install.mjs";
import { removeEmptyManifests, shrinkChunks } from "./shrink-chunks.mjs";
import { hashSources, isStamped, writeStamp } from "./stamp.mjs";

await prepareScript({ development: false });
const node = nodeForTypeScript();
const stampFile = ".next/gatehouse-build";
/** Served as it is, to be copied into Argo CD. */
const extension = "public/extensions/gatehouse.js";
const sources = {
  paths: [
    "app",
    "components",
    "demo",
    "lib",
    "packages",
    "prisma/schema.prisma",
    "public",
    "instrumentation.ts",
    "proxy.ts",
    "next.config.js",
    "scripts/argocd-extension.mjs",
    "scripts/base-path.mjs",
    "scripts/bundle.mjs",
    "scripts/shrink-chunks.mjs",
    "package.json",
    "package-lock.json",
    "tsconfig.json",
  ],
  skip: (path) =>
    path === extension || path.startsWith("lib/server/platform/db/generated") || /\.test\.tsx?$/.test(path),
};

const ifStale = process.argv.includes("--if-stale");
const hasApplication = () =>
  ifStale && isStamped({ stampFile, hash: hashSources(sources) }) && existsSync(join(projectRoot, ".next/BUILD_ID"));
const hasCommands = () => ifStale && findBundle() !== undefined;

if (!hasApplication() || !hasCommands()) {
  const release = await lockBuild();
  try {
    // Another launcher may have built while this one waited for the lock.
    runNode(["scripts/generate.mjs", "--if-stale"], "prisma generate failed");
    if (!hasCommands()) await bundleCommands();
    if (!hasApplication()) await buildApplication();
  } catch (error) {
    process.stderr.write(`gatehouse: ${error.message}\n`);
    process.exitCode = 1;
  } finally {
    release();
  }
}

async function buildApplication() {
  process.stderr.write("gatehouse: building the web application (about half a minute)\n");
  const hash = hashSources(sources);
  rmSync(join(projectRoot, stampFile), { force: true });
  mkdirSync(join(projectRoot, dirname(extension)), { recursive: true });
  writeFileSync(join(projectRoot, extension), await bundleExtension());
  runNode(["node_modules/next/dist/bin/next", "build"], "next build failed");
  await shrinkChunks(join(projectRoot, ".next/server/chunks"));
  removeEmptyManifests(join(projectRoot, ".next/server/app"));
  takeOutBasePath(join(projectRoot, ".next"));
  await bundleThreads(join(projectRoot, ".next"));
  writeStamp({ stampFile, hash });
}

function runNode(args, failure) {
  const result = spawnSync(node, args, {
    cwd: projectRoot,
    encoding: "utf8",
    env: { ...process.env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1", GATEHOUSE_BASE_PATH: placeholder },
    maxBuffer: 64 << 20,
  });
  if (result.status === 0) return;
  process.stderr.write(`${result.stdout}${result.stderr}`);
  throw new Error(failure);
}
