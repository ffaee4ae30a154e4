// npm run bench [-- NAME...] [--full] [--json]: runs bench/NAME.bench.ts; all of bench/ without a name. Each figure is
// one JSON line on stdout; without --json, a readable line goes to stderr as well.
import { spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { nodeForTypeScript, prepareScript, projectRoot, run } from "./install.mjs";

await prepareScript();
const args = process.argv.slice(2);
const flags = args.filter((arg) => arg.startsWith("--"));
const unknown = flags.find((flag) => !["--full", "--json"].includes(flag));
const folder = join(projectRoot, "bench");
const known = (existsSync(folder) ? readdirSync(folder) : [])
  .filter((file) => file.endsWith(".bench.ts"))
  .map((file) => file.slice(0, -".bench.ts".length))
  .sort();
const asked = args.filter((arg) => !arg.startsWith("--"));
const missing = asked.find((name) => !known.includes(name));
if (unknown !== undefined || missing !== undefined) {
  const what = unknown !== undefined ? `unknown flag ${unknown}` : `no bench named ${missing}`;
  process.stderr.write(`gatehouse bench: ${what}; benches: ${known.join(" ") || "none"}; flags: --full --json\n`);
  process.exit(2);
}

// Some benches run the product's code in their own process.
const { mallocSettings, nodeFlags } = await import("../bin/launcher/node-flags.ts");
for (const script of ["scripts/generate.mjs", "scripts/bundle.mjs"])
  await run(nodeForTypeScript(), [script, "--if-stale"], { stdio: ["ignore", 2, 2] });
let failed = 0;
for (const name of asked.length > 0 ? asked : known) {
  if (!(await runBench(name))) failed += 1;
}
process.exitCode = failed === 0 ? 0 : 1;

async function runBench(name) {
  const child = spawn(nodeForTypeScript(), [...nodeFlags, join(folder, `${name}.bench.ts`), ...flags], {
    cwd: projectRoot,
    env: { ...process.env, ...mallocSettings },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise((resolve) => child.on("close", resolve));
  for await (const line of createInterface({ input: child.stdout })) {
    process.stdout.write(`${line}\n`);
    if (!flags.includes("--json")) explain(line);
  }
  const code = await ended;
  if (code !== 0) process.stderr.write(`gatehouse bench: ${name} ended with exit status ${code}\n`);
  return code === 0;
}

function explain(line) {
  try {
    const { name, value, unit, baseline, goal, ok } = JSON.parse(line);
    process.stderr.write(
      `  ${ok ? "ok  " : "MISS"} ${name}: ${value} ${unit} (baseline ${baseline ?? "none"}, goal ${goal ?? "none"})\n`,
    );
  } catch {
    // Not a figure; it is printed to stdout as it is.
  }
}
