// Checks the import rules of .dependency-cruiser.cjs (all edges) and .dependency-cruiser.runtime.cjs (reachability).
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { nodeForTypeScript, projectRoot } from "./install.mjs";

const folders = ["app", "bench", "bin", "components", "e2e", "lib", "packages", "sandbox", "scripts", "test"];
const configs = [".dependency-cruiser.cjs", ".dependency-cruiser.runtime.cjs"];
/** With an unsupported compiler, dependency-cruiser finds no files and reports success. */
const fewestModules = 50;

/** Returns `{ modules, violations: [{ rule, from, to }] }` of a source tree. */
export function cruise(root = projectRoot) {
  const violations = [];
  let modules = Number.POSITIVE_INFINITY;
  for (const config of configs) {
    const present = folders.filter((folder) => existsSync(join(root, folder)));
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
  }
  return { modules, violations };
}

/** Returns the lines to print for a tree that breaks a rule; none if all rules hold. */
export function describeCruise({ modules, violations }) {
  const lines = violations.map(({ rule, from, to }) => `${from} -> ${to}: ${rule} (see .dependency-cruiser.cjs)`);
  if (modules <= fewestModules)
    lines.push(`only ${modules} modules were cruised, more than ${fewestModules} were expected`);
  return lines;
}
