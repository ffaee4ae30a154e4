// A check is one command. Several run in parallel; the output of each is kept until it fails.
import { spawn } from "node:child_process";
import { nodeForTypeScript, projectRoot } from "./install.mjs";

/** Runs a node program to its end; output is collected, or passed through if `live`. Returns `{ ok, output }`. */
export function runNode(args, { live = false, env = {} } = {}) {
  return new Promise((resolve) => {
    const child = spawn(nodeForTypeScript(), args, {
      cwd: projectRoot,
      stdio: live ? "inherit" : ["ignore", "pipe", "pipe"],
      env: { ...process.env, ...(live ? {} : { NO_COLOR: "1" }), ...env },
    });
    // A stopped run must not leave a browser or a demo behind.
    const forward = (signal) => {
      child.kill(signal);
      process.exitCode = 1;
    };
    for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, forward);
    let output = "";
    const collect = (chunk) => {
      output += chunk;
    };
    child.stdout?.on("data", collect);
    child.stderr?.on("data", collect);
    child.on("error", (error) => resolve({ ok: false, output: String(error) }));
    child.on("close", (code) => {
      for (const signal of ["SIGINT", "SIGTERM"]) process.off(signal, forward);
      resolve({ ok: code === 0, output });
    });
  });
}

/** Runs checks `{ name, run }` two at a time, prints one line for each, and returns how many passed and failed. */
export async function runChecks(checks) {
  const waiting = [...checks];
  const counts = { passed: 0, failed: 0, failures: [] };
  const worker = async () => {
    for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) {
      const startedAt = Date.now();
      const { ok, output } = await check.run().catch((error) => ({ ok: false, output: String(error.stack ?? error) }));
      const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
      process.stdout.write(
        ok ? `ok    ${check.name} (${seconds} s)\n` : `fail  ${check.name} (${seconds} s)\n${output.trimEnd()}\n`,
      );
      counts[ok ? "passed" : "failed"] += 1;
      if (!ok) counts.failures.push(`${check.name}\n${output.trimEnd().split("\n").slice(-20).join("\n")}`);
    }
  };
  await Promise.all([worker(), worker()]);
  return counts;
}
