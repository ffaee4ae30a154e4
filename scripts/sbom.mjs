// Writes the software bill of materials (CycloneDX JSON) of what is shipped: node scripts/sbom.mjs [FILE]. It is the lock
// file's list without development packages, so it also names what the production tree leaves out.
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { projectRoot } from "./install.mjs";

const args = ["sbom", "--sbom-format", "cyclonedx", "--omit", "dev", "--package-lock-only"];
const { status, stdout, stderr } = spawnSync("npm", args, { cwd: projectRoot, encoding: "utf8", maxBuffer: 64 << 20 });
const file = process.argv[2];
if (status !== 0 || countComponents(stdout) === 0) {
  // An npm without this command prints its help, and ends with 0.
  process.stderr.write(`gatehouse: npm sbom made no list (it needs npm 9.5 or newer): ${stderr}\n`);
  process.exitCode = 1;
} else if (file === undefined) process.stdout.write(stdout);
else writeFileSync(file, stdout);

function countComponents(text) {
  try {
    return JSON.parse(text).components.length;
  } catch {
    return 0;
  }
}
