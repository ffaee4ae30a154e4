// Checks the import rules of .dependency-cruiser.cjs (all edges) and .dependency-cruiser.runtime.cjs (reachability).
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { nodeForTypeScript, projectRoot } from "./install.mjs";
import { serverRooms } from "./server-rooms.cjs";

const sources = [
  ...["app", "bench", "bin", "components", "demo", "e2e", "lib", "packages", "sandbox", "scripts", "test"],
  ...["instrumentation.ts", "proxy.ts"],
];
const configs = [".dependency-cruiser.cjs", ".dependency-cruiser.runtime.cjs"];
/** With an unsupported compiler, dependency-cruiser finds no files and reports success. */
const fewestModules = 50;

/** Returns `{ modules, violations: [{ rule, from, to }] }` of a source tree. */
export function cruise(root = projectRoot) {
  const violations = [];
  let modules = Number.POSITIVE_INFINITY;
  for (const config of configs) {
    const present = sources.filter((path) => existsSync(join(root, path)));
    const program = join(projectRoot, "node_modules/dependency-cruiser/bin/dependency-cruiser.mjs");
    const args = [program, "--config", join(projectRoot, config), "--output-type", "json", ...present];
    const result = spawnSync(nodeForTypeScript(), args, { cwd: root, encoding: "utf8", maxBuffer: 256 << 20 });
    if (!result.stdout.startsWith("{")) throw new Error(`dependency-cruiser failed: ${result.stdout}${result.stderr}`);
    const { summary, modules: found } = JSON.parse(result.stdout);
    modules = Math.min(
      modules,
      found.filter(({ source }) => /\.tsx?$/.test(source) && !source.includes("node_modules")).length,
    );
    violations.push(...summary.violations.map(({ rule, from, to }) => ({ rule: rule.name, from, to })));
    if (config === configs[0]) violations.push(...findUpwardImports(found));
  }
  return { modules, violations };
}

export const roomRule = "rooms-import-downwards";

/** Finds imports of lib/server that lead to a folder further down the list of scripts/server-rooms.cjs. */
function findUpwardImports(modules) {
  return modules
    .filter(({ source }) => !/\.test\.ts$|\/testing\//.test(source))
    .flatMap(({ source, dependencies }) => {
      const from = placeOf(source);
      return dependencies
        .filter(({ resolved }) => from !== -1 && placeOf(resolved) > from)
        .map(({ resolved }) => ({ rule: roomRule, from: source, to: resolved }));
    });
}

/** Returns the place of a file's folder in the list; the deepest folder counts. -1 outside of all. */
function placeOf(file) {
  const inside = serverRooms.filter((room) => file.startsWith(`lib/server/${room}/`));
  return serverRooms.indexOf(inside.toSorted((one, other) => other.length - one.length)[0]);
}

/** Returns the lines to print for a tree that breaks a rule; none if all rules hold. */
export function describeCruise({ modules, violations }) {
  const lines = violations.map(
    ({ rule, from, to }) =>
      `${from} -> ${to}: ${rule} (see ${rule === roomRule ? "scripts/server-rooms.cjs" : ".dependency-cruiser.cjs"})`,
  );
  if (modules <= fewestModules)
    lines.push(`only ${modules} modules were cruised, more than ${fewestModules} were expected`);
  return lines;
}
