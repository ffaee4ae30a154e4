#!/usr/bin/env node
// The entry point of every command. Runs on the host's Node (20 or newer) with builtins only: installs what is missing,
// then runs bin/cli.ts, or its bundle if that is up to date, with a suitable Node.
import { join } from "node:path";
import { findBundle } from "../scripts/bundle.mjs";
import { ensureGenerated } from "../scripts/generated-client.mjs";
import { ensureInstalled, nodeForTypeScript, projectRoot, run, runsTypeScript } from "../scripts/install.mjs";

/** They read nothing, and stop when this process dies. Other commands read tokens and answers from standard input. */
const servers = ["demo", "up", "web", "recorder"];
/** A launcher has installed for its children. One that starts again later must not change packages below the others. */
const isLaunchersChild = process.env.GATEHOUSE_EXIT_ON_STDIN_CLOSE === "1";
try {
  if (!isLaunchersChild) {
    await ensureInstalled({ development: false });
    ensureGenerated();
  }
  stopWhenNpmDies();
  const cli = findBundle() ?? join(projectRoot, "bin/cli.ts");
  if (runsTypeScript()) {
    await import(cli);
  } else {
    const isServer = servers.includes(process.argv[2]);
    process.exitCode = await run(nodeForTypeScript(), [cli, ...process.argv.slice(2)], {
      cwd: process.cwd(),
      stdio: [isServer ? "pipe" : "inherit", "inherit", "inherit"],
      env: { ...process.env, ...(isServer ? { GATEHOUSE_EXIT_ON_STDIN_CLOSE: "1" } : {}) },
    });
  }
} catch (error) {
  process.stderr.write(`gatehouse: ${error.message}\n`);
  process.exitCode = 1;
}

/**
 * Ends this process when npm dies. A killed npm forwards no signal, but the parent id changes. Started by hand, this
 * process outlives its shell.
 */
function stopWhenNpmDies() {
  const parent = process.ppid;
  if (process.env.npm_lifecycle_event === undefined || parent <= 1) return;
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, "SIGTERM");
  }, 1000).unref();
}
