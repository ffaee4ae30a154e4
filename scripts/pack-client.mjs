// npm run pack:client: compiles packages/client, and packs it with its README and licence as npm would publish it.
// node scripts/pack-client.mjs [--out FOLDER] (default .gatehouse/client). Prints the file.
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { nodeForTypeScript, prepareScript, projectRoot } from "./install.mjs";

await prepareScript();
const { values } = parseArgs({ options: { out: { type: "string", default: ".gatehouse/client" } } });
const out = resolve(values.out);
const source = join(projectRoot, "packages/client");
const tree = join(out, "package");

try {
  rmSync(tree, { recursive: true, force: true });
  mkdirSync(tree, { recursive: true });
  const compiler = join(projectRoot, "node_modules/typescript/bin/tsc");
  start(nodeForTypeScript(), [compiler, "-p", source, "--outDir", join(tree, "dist")], source);
  for (const name of ["package.json", "README.md"]) copyFileSync(join(source, name), join(tree, name));
  copyFileSync(join(projectRoot, "LICENSE"), join(tree, "LICENSE"));
  const packed = start("npm", ["pack", "--ignore-scripts", "--json", "--pack-destination", out], tree);
  process.stdout.write(`${join(out, JSON.parse(packed)[0].filename)}\n`);
} catch (error) {
  process.stderr.write(`gatehouse: ${error.message}\n`);
  process.exitCode = 1;
}

function start(command, args, cwd) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(`${command} failed: ${error?.message ?? ""}${stdout}${stderr}`);
  return stdout;
}
