import { readdirSync } from "node:fs";
import { join } from "node:path";
import { create } from "tar";

/**
 * Writes a folder as `.tar.gz` (POSIX ustar, with pax headers for long paths). The same files give the same bytes: sorted
 * by name, one time, no owner, and of the modes only whether a file is executable.
 */
export async function writeTarball({ tree, file, prefix, mtimeSeconds, level = 9 }) {
  const mtime = new Date(mtimeSeconds * 1000);
  // Files of one inode stay files of their own: a copy of the folder has other links.
  const linkCache = { get: () => undefined, set: () => undefined };
  const onWriteEntry = (entry) => {
    entry.noMtime = false;
    entry.stat.mode = (entry.stat.mode & 0o111) === 0 ? 0o644 : 0o755;
  };
  const options = { cwd: tree, file, prefix, mtime, gzip: { level }, portable: true, strict: true };
  await create({ ...options, noDirRecurse: true, linkCache, onWriteEntry }, [".", ...listPaths(tree, ".")]);
}

/** Sorted by code units, which no locale changes; a folder before its files. Node's recursive list follows links. */
function listPaths(tree, folder) {
  const entries = readdirSync(join(tree, folder), { withFileTypes: true });
  return entries
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`;
      return entry.isDirectory() ? [path, ...listPaths(tree, path)] : [path];
    });
}
