// node scripts/bundle.mjs [--if-stale]: bundles the commands and their threads with the packages that they import, into
// .gatehouse/bundle. Such a process starts in a third of the time and with half of the memory (docs/adr/0019).
// Imported before anything is installed, on the host's Node (20 or newer): node builtins only.
import { existsSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { builtinModules } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isAlive, lockBuild } from "./build-lock.mjs";
import { ensureGenerated } from "./generated-client.mjs";
import { prepareScript, projectRoot } from "./install.mjs";
import { hashSources } from "./stamp.mjs";

const folder = join(projectRoot, ".gatehouse/bundle");
/** Processes that still run from an older bundle load parts of it later, and start threads from it. */
const keptMs = 30 * 86_400_000;
const worker = "lib/server/platform/evaluation/evaluation-worker.ts";
/** Started by path: `entryFile` of lib/server/platform/config/program-files.ts. */
const entries = ["bin/cli.ts", worker, "lib/server/platform/embedded-postgres/warden.ts", "sandbox/main.ts"];
const sources = {
  paths: [
    ...["bin", "demo", "lib", "packages", "sandbox"],
    ...["prisma/schema.prisma", "scripts/bundle.mjs", "package.json", "package-lock.json"],
  ],
  skip: (path) => path.startsWith("lib/server/platform/db/generated") || /\.test\.tsx?$|\/testing$/.test(path),
};

/** Returns the bundle's file of the commands; undefined if a source changed since it was written. */
export function findBundle() {
  const file = join(folderOf(hashSources(sources)), "cli.mjs");
  return existsSync(file) ? file : undefined;
}

const folderOf = (hash) => join(folder, hash.slice(0, 16));

/** Bundles the commands of a clone. To be called under the lock of the build, with a current generated client. */
export async function bundleCommands() {
  const target = folderOf(hashSources(sources));
  const out = `${target}.${process.pid}`;
  try {
    await writeBundle({ out, entries: entries.filter((entry) => existsSync(join(projectRoot, entry))) });
    rmSync(target, { recursive: true, force: true });
    // Complete or absent: another launcher may look for it now.
    renameSync(out, target);
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
  removeOldBundles(Date.now());
}

/** Removes bundles that are older than any process should be, and what a killed build left. */
function removeOldBundles(nowMs) {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const builder = name.split(".")[1];
    const writtenMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? nowMs;
    const isLeft = builder === undefined ? nowMs - writtenMs > keptMs : !isAlive(Number(builder));
    if (isLeft) rmSync(path, { recursive: true, force: true });
  }
}

/** Bundles what a production tree needs into its folder, without the `left` files. Returns the names of all inputs. */
export function bundleForProduction({ out, left }) {
  return writeBundle({ out, entries: ["bin/cli.ts", worker], left });
}

/** Bundles the file of the web process's threads into the folder of the web application's build. */
export function bundleThreads(out) {
  return writeBundle({ out, entries: [worker] });
}

async function writeBundle({ out, entries, left = [] }) {
  // Not installed yet when this file is imported.
  const { rolldown } = await import("rolldown");
  const isLeft = (id) => left.some((file) => id.endsWith(file));
  const build = await rolldown({
    cwd: projectRoot,
    input: entries,
    platform: "node",
    external: (id) => id.startsWith("node:") || builtinModules.includes(id) || id === "pg-native" || isLeft(id),
    // Of the Kubernetes client, only the kubeconfig is used; its generated models are two thirds of what it loads.
    treeshake: { moduleSideEffects: [{ test: /\/@kubernetes\/client-node\//, sideEffects: false }] },
    // A stack trace names our own sources; maps of packages would be larger than the packages.
    plugins: [
      {
        name: "no-maps-of-packages",
        transform: { filter: { id: /node_modules/ }, handler: (code) => ({ code, map: { mappings: "" } }) },
      },
    ],
    onLog: (level, { message }) => {
      throw new Error(`${level}: ${message}`);
    },
  });
  const { output } = await build.write({
    dir: out,
    entryFileNames: "[name].mjs",
    chunkFileNames: "[name]-[hash].mjs",
    sourcemap: true,
    sourcemapExcludeSources: true,
    comments: false,
    // V8 keeps the text: one byte for each character if all are ASCII, else two.
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true, asciiOnly: true } },
  });
  await build.close();
  return output.flatMap((chunk) => (chunk.type === "chunk" ? chunk.moduleIds : []));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await prepareScript({ development: false });
  const isWanted = () => !process.argv.includes("--if-stale") || findBundle() === undefined;
  if (isWanted()) {
    const release = await lockBuild();
    try {
      ensureGenerated();
      // Another process may have bundled while this one waited for the lock.
      if (isWanted()) await bundleCommands();
    } finally {
      release();
    }
  }
}
