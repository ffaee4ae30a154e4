import { spawn } from "node:child_process";

/**
 * A separate process that holds the PostgreSQL server: `node warden.ts COMMAND ARGS...`. It stops the server fast
 * (SIGINT) on request, and when the pipe on its stdin closes, which happens however its parent dies.
 */
// Its log may be on the full disk; plain Node runs this file, so it imports nothing to handle that.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
const [command, ...args] = process.argv.slice(2);
if (command === undefined) {
  process.stderr.write("warden: no command given\n");
  process.exit(2);
}

const server = spawn(command, args, { stdio: ["ignore", "inherit", "inherit"] });
let stopping = false;

function stop(): void {
  if (stopping) return;
  stopping = true;
  server.kill("SIGINT");
  // A fast shutdown waits for a checkpoint; the immediate one is safe too and only costs a recovery at the next start.
  setTimeout(() => server.kill("SIGQUIT"), 6000).unref();
  setTimeout(() => server.kill("SIGKILL"), 9000).unref();
}

server.on("error", (error) => {
  process.stderr.write(`warden: cannot start ${command}: ${error.message}\n`);
  process.exit(1);
});
server.on("exit", (code, signal) => {
  if (stopping) process.exit(0);
  process.stderr.write(`warden: the server ended by itself (${signal ?? `exit status ${code}`})\n`);
  process.exit(1);
});
for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, stop);
process.stdin.on("end", stop).on("close", stop).on("error", stop).resume();
