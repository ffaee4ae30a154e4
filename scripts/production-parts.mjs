// The packages that a production tree needs.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Returns `@scope/name` or `name` of an import such as `@scope/name/file.js`. */
export function packageOf(specifier) {
  const parts = specifier.split("/");
  return specifier.startsWith("@") ? `${parts[0]}/${parts[1]}` : parts[0];
}

/**
 * Returns the folders (`node_modules/...`) of these packages and of everything they depend on, by the lock file's rules
 * of resolution. Peers count only if they are among the names; optional packages only if they are installed.
 */
export function closePackages({ root, names, skip = () => false }) {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  const found = new Set();
  const visit = (name, from, isOptional) => {
    const folder = findFolder(packages, name, from);
    if (folder === undefined || !existsSync(join(root, folder))) {
      if (isOptional || skip(name)) return;
      throw new Error(`the package ${name} is not installed: run npm ci`);
    }
    if (found.has(folder) || skip(name)) return;
    found.add(folder);
    const { dependencies = {}, optionalDependencies = {} } = packages[folder];
    for (const dependency of Object.keys(dependencies)) visit(dependency, folder, dependency in optionalDependencies);
    for (const dependency of Object.keys(optionalDependencies)) visit(dependency, folder, true);
  };
  for (const name of names) visit(name, "", false);
  return [...found].sort();
}

/** Resolves as Node does: the nearest node_modules on the way up. */
function findFolder(packages, name, from) {
  for (let folder = from; ; folder = parentOf(folder)) {
    const candidate = folder === "" ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (packages[candidate] !== undefined) return candidate;
    if (folder === "") return undefined;
  }
}

/** `node_modules/a/node_modules/b` lies in `node_modules/a`, and that in the root (""). */
function parentOf(folder) {
  return folder.slice(0, Math.max(0, folder.lastIndexOf("/node_modules/")));
}
