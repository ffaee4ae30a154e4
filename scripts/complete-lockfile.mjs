// Adds to package-lock.json the platform packages that a registry did not offer when the lockfile was made, and the
// integrity that an entry lacks. `npm ci` refuses a lockfile that lacks an optional dependency, even one that this
// platform would never install; an entry without integrity is installed unchecked.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "./install.mjs";

const systems = ["android", "darwin", "freebsd", "linux", "netbsd", "openbsd", "openharmony", "sunos", "win32"];
const processors = ["arm64", "arm", "ia32", "loong64", "mips64el", "ppc64", "riscv64", "s390x", "x64"];

/** Adds the entries to a parsed lockfile (version 3) and returns their names. */
export function completeLockfile(lock) {
  const added = [];
  for (const [path, entry] of Object.entries(lock.packages)) {
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
      if (path === "" || findInstalled({ lock, path, name })) continue;
      const platform = parsePlatform(name);
      if (platform === undefined || !/^\d+\.\d+\.\d+/.test(version)) continue;
      lock.packages[`node_modules/${name}`] = {
        version,
        ...(platform.libc === undefined ? {} : { libc: platform.libc }),
        cpu: platform.cpu,
        ...(entry.dev === true ? { dev: true } : {}),
        optional: true,
        os: platform.os,
      };
      added.push(name);
    }
  }
  const sorted = Object.entries(lock.packages).toSorted(([left], [right]) => left.localeCompare(right, "en"));
  lock.packages = Object.fromEntries(sorted);
  return added;
}

/** Lists the entries that npm would install without checking their integrity. */
export function listUnproven(lock) {
  return Object.entries(lock.packages).flatMap(([path, entry]) => {
    const { link, inBundle, integrity, version } = entry;
    const name = packageNameOf(path, entry);
    const isOfRegistry = path.includes("node_modules/") && link !== true && inBundle !== true;
    return isOfRegistry && !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity ?? "") ? [{ path, name, version }] : [];
  });
}

/** Returns the name of an entry in the registry; an alias is installed under another. */
export function packageNameOf(path, { name }) {
  return name ?? path.split("node_modules/").at(-1);
}

/** Asks the registry of npm; throws if it does not offer this version. */
function askIntegrity({ name, version }) {
  const { status, stdout, stderr } = spawnSync("npm", ["view", `${name}@${version}`, "dist.integrity"], {
    encoding: "utf8",
  });
  if (status !== 0 || stdout.trim() === "") throw new Error(`${name}@${version} has no integrity: ${stderr.trim()}`);
  return stdout.trim();
}

function findInstalled({ lock, path, name }) {
  for (let folder = path; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("/node_modules/")))) {
    if (lock.packages[`${folder === "" ? "" : `${folder}/`}node_modules/${name}`] !== undefined) return true;
    if (folder === "") return false;
  }
}

function parsePlatform(name) {
  const words = name.split(/[/-]/);
  const os = systems.find((system) => words.includes(system));
  const cpu = processors.find((processor) => words.includes(processor));
  if (os === undefined || cpu === undefined) return undefined;
  const libc = words.some((word) => word.startsWith("musl")) ? ["musl"] : words.includes("gnu") ? ["glibc"] : undefined;
  return { os: [os], cpu: [cpu], libc };
}

if (process.argv[1] !== undefined && import.meta.url.endsWith(process.argv[1].replaceAll("\\", "/"))) {
  const file = join(projectRoot, "package-lock.json");
  const lock = JSON.parse(readFileSync(file, "utf8"));
  const added = completeLockfile(lock);
  const unproven = listUnproven(lock);
  for (const entry of unproven) {
    const { version, ...rest } = lock.packages[entry.path];
    lock.packages[entry.path] = { version, integrity: askIntegrity(entry), ...rest };
  }
  const changed = [...new Set([...added, ...unproven.map(({ name }) => name)])];
  if (changed.length > 0) writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
  process.stdout.write(changed.length === 0 ? "nothing is missing\n" : `completed ${changed.join(" ")}\n`);
}
