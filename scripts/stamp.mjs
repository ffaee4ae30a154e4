import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { projectRoot } from "./install.mjs";

/** Returns the hex SHA-256 of the given files and folders (names and contents), except those that `skip` names. */
export function hashSources({ paths, skip = () => false }) {
  const hash = createHash("sha256");
  const visit = (path) => {
    const full = join(projectRoot, path);
    if (skip(path) || !existsSync(full)) return;
    if (statSync(full).isDirectory()) {
      for (const name of readdirSync(full).sort()) visit(`${path}/${name}`);
      return;
    }
    hash.update(`${path}\0`).update(readFileSync(full)).update("\0");
  };
  for (const path of paths) visit(path);
  return hash.digest("hex");
}

/** Returns whether the stamp file says that its product was built from sources with this hash. */
export function isStamped({ stampFile, hash }) {
  const full = join(projectRoot, stampFile);
  return existsSync(full) && readFileSync(full, "utf8").trim() === hash;
}

export function writeStamp({ stampFile, hash }) {
  const full = join(projectRoot, stampFile);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, `${hash}\n`);
}
