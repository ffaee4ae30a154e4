// Writes the software bill of materials (CycloneDX JSON) of the shipped code: node scripts/sbom.mjs [FILE]. It is the
// lock file's list without development packages, so it also has packages that the production tree leaves out.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "./install.mjs";

// `--omit dev` would also leave out packages that a development package needs as well: React, zod and others.
const args = ["sbom", "--sbom-format", "cyclonedx", "--package-lock-only"];
const { status, stdout, stderr } = spawnSync("npm", args, { cwd: projectRoot, encoding: "utf8", maxBuffer: 64 << 20 });
const all = status === 0 ? parseList(stdout) : undefined;
if (all === undefined) {
  // An npm without this command prints its help, and ends with 0.
  process.stderr.write(`gatehouse: npm sbom made no list (it needs npm 9.5 or newer): ${stderr}\n`);
  process.exitCode = 1;
} else {
  const text = `${JSON.stringify(withoutDevelopment(all), undefined, 2)}\n`;
  const file = process.argv[2];
  if (file === undefined) process.stdout.write(text);
  else writeFileSync(file, text);
}

function parseList(text) {
  try {
    const list = JSON.parse(text);
    return Array.isArray(list.components) ? list : undefined;
  } catch {
    return undefined;
  }
}

function withoutDevelopment(list) {
  const { packages } = JSON.parse(readFileSync(join(projectRoot, "package-lock.json"), "utf8"));
  const shipped = new Set(
    Object.entries(packages)
      // devOptional: a tool of ours that a package could use as well, such as TypeScript.
      .filter(([path, { dev, devOptional }]) => path !== "" && dev !== true && devOptional !== true)
      .map(([path, { name, version }]) => `${name ?? path.split("node_modules/").at(-1)}@${version}`),
  );
  const root = list.metadata.component["bom-ref"];
  const isShipped = (ref) => ref === root || shipped.has(ref);
  return {
    ...list,
    components: list.components.filter((component) => isShipped(component["bom-ref"])),
    dependencies: list.dependencies
      .filter(({ ref }) => isShipped(ref))
      .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter(isShipped) })),
  };
}
