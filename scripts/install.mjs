// Runs before anything is installed, on the host's Node (20 or newer): node builtins only.
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import module from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const projectRoot = dirname(dirname(fileURLToPath(import.meta.url)));
const pinnedNode = join(projectRoot, "node_modules/.bin/node");

/**
 * Installs what is missing; progress goes to stderr. Without `development`: not the packages that only tests and checks
 * need, a third of all. If only those are missing, they are added without touching what a running process has loaded.
 */
export async function ensureInstalled({ development }) {
  const { isComplete, hasDevelopment, lacksDevelopment } = readInstalled();
  if (!isComplete) await install("ci", development || hasDevelopment ? "--include=dev" : "--omit=dev");
  else if (development && lacksDevelopment) await install("install", "--no-save", "--include=dev");
  keepCompiled();
}

async function install(command, ...flags) {
  process.stderr.write(`gatehouse: installing packages (npm ${command})\n`);
  const code = await run("npm", [command, ...flags, "--no-audit", "--no-fund"], { stdio: ["ignore", 2, 2] });
  if (code !== 0) throw new Error(`npm ${command} failed with exit status ${code} in ${projectRoot}`);
}

/**
 * Lets this process and its children keep what they compile, so that the next one starts in about half the time. Node
 * compares the content of each module, and compiles as usual where it cannot write.
 */
function keepCompiled() {
  process.env.NODE_COMPILE_CACHE ??= join(projectRoot, "node_modules/.cache/compiled");
  module.enableCompileCache?.(process.env.NODE_COMPILE_CACHE);
}

/** Compares package-lock.json with node_modules/.package-lock.json, which npm writes only after a complete install. */
function readInstalled() {
  const installedFile = join(projectRoot, "node_modules/.package-lock.json");
  if (!existsSync(installedFile)) return { isComplete: false, hasDevelopment: false, lacksDevelopment: true };
  const { "": _, ...wanted } = JSON.parse(readFileSync(join(projectRoot, "package-lock.json"), "utf8")).packages;
  const installed = JSON.parse(readFileSync(installedFile, "utf8")).packages;
  // An optional package for another platform is rightly absent.
  const missing = Object.entries(wanted).filter(
    ([path, { optional, devOptional }]) => installed[path] === undefined && optional !== true && devOptional !== true,
  );
  const isCurrent = Object.entries(wanted).every(
    ([path, { version }]) => installed[path] === undefined || installed[path].version === version,
  );
  return {
    isComplete: isCurrent && missing.every(([, { dev }]) => dev === true),
    hasDevelopment: Object.values(installed).some(({ dev }) => dev === true),
    lacksDevelopment: missing.length > 0,
  };
}

/** Returns the Node that runs .ts files: this one if it is new enough, else the pinned one from node_modules. */
export function nodeForTypeScript() {
  if (runsTypeScript()) return process.execPath;
  if (existsSync(pinnedNode)) return pinnedNode;
  throw new Error(
    `Node ${process.versions.node} is too old to run Gatehouse and the pinned one is not available for ${process.platform}-${process.arch}: install Node 22.19 or newer`,
  );
}

export function runsTypeScript() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  return major > 22 || (major === 22 && minor >= 19);
}

/**
 * Installs what is missing. Under an old Node, reruns the calling script under the pinned one; exits with its status.
 */
export async function prepareScript({ development = true } = {}) {
  await ensureInstalled({ development });
  if (runsTypeScript()) return;
  process.exit(await run(nodeForTypeScript(), process.argv.slice(1), { stdio: "inherit" }));
}

/**
 * Runs a command to its end, forwards termination signals, and returns its exit status (128 + n for a signal). With
 * `stdio[0] === "pipe"`, the child sees the death of this process as the end of its stdin.
 */
export function run(command, args, options) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: projectRoot, ...options });
    const forward = (signal) => child.kill(signal);
    const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
    for (const signal of signals) process.on(signal, forward);
    const done = () => {
      for (const signal of signals) process.off(signal, forward);
    };
    child.stdin?.on("error", () => {});
    child.on("error", (error) => {
      done();
      reject(new Error(`cannot run ${command}: ${error.message}`));
    });
    child.on("close", (code, signal) => {
      done();
      resolve(code ?? 128 + ({ SIGHUP: 1, SIGINT: 2, SIGKILL: 9, SIGTERM: 15 }[signal] ?? 0));
    });
  });
}
