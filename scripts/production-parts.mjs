// What of the sources and packages a production tree needs, found by following imports.
import { existsSync, readFileSync } from "node:fs";
import module from "node:module";
import { dirname, join, relative, resolve } from "node:path";

/** Commands for a clone: the demo, and the one-node launcher, which builds and brings its own PostgreSQL. */
export const cloneCommands = ["demo", "up"];

const importPattern =
  /(?:^|[;}\n])\s*(?:import|export)\s[^"';]*?from\s*["']([^"']+)["']|(?:^|[;}\n])\s*import\s*["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']\s*\)|createRequire\([^)]*\)\.resolve\(["']([^"']+)["']\)/g;

/**
 * Follows imports that exist at run time (types are erased) from the given files. `skip` names files that are left out.
 * Returns the reached files and the names of the packages they import, both sorted, paths relative to the root.
 */
export function traceSources({ root, entries, skip = () => false }) {
  const aliases = JSON.parse(readFileSync(join(root, "package.json"), "utf8")).imports;
  const files = new Set();
  const packages = new Set();
  const visit = (file) => {
    if (files.has(file) || skip(file)) return;
    files.add(file);
    if (!/\.m?[jt]s$/.test(file)) return;
    for (const specifier of listImports(readFileSync(join(root, file), "utf8"))) {
      if (specifier.startsWith("node:")) continue;
      const target = toPath({ specifier, from: file, root, aliases });
      if (target === undefined) packages.add(packageOf(specifier));
      else visit(target);
    }
  };
  for (const entry of entries) visit(entry);
  return { files: [...files].sort(), packages: [...packages].filter((name) => !isBuiltin(name)).sort() };
}

function listImports(text) {
  const plain = module.stripTypeScriptTypes(text);
  return [...plain.matchAll(importPattern)].map((match) => match.slice(1).find((part) => part !== undefined));
}

function toPath({ specifier, from, root, aliases }) {
  if (specifier.startsWith(".")) return relative(root, resolve(root, dirname(from), specifier));
  const alias = Object.keys(aliases).find((key) => specifier.startsWith(key.slice(0, -1)));
  if (alias === undefined) return undefined;
  return join(aliases[alias].slice(2, -1), specifier.slice(alias.length - 1));
}

const isBuiltin = (name) => module.builtinModules.includes(name);

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
