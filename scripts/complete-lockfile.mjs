// Adds to package-lock.json the platform packages that a registry did not offer when the lockfile was made. `npm ci`
// refuses a lockfile that lacks an optional dependency, even one that this platform would never install.
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
  if (added.length > 0) writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
  process.stdout.write(added.length === 0 ? "nothing is missing\n" : `added ${added.join(" ")}\n`);
}
