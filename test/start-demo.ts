import { type ChildProcess, spawn } from "node:child_process";
import { createServer } from "node:net";
import { join } from "node:path";
import { type Demo, readDemoFile } from "./demo.ts";

export type RunningLauncher = {
  launcher: ChildProcess;
  /** Asks the launcher to end (SIGTERM) and waits; resolves to its exit status. */
  stop(): Promise<number | null>;
  /** Returns the end of its stderr output. */
  readErrors(): string;
};

export type RunningDemo = RunningLauncher & { demo: Demo };

/**
 * Starts `gatehouse demo` as a new user does, on a free port, and waits for the ready line. If it ends before, throws
 * its stderr output.
 */
export async function startDemo({
  dataDirectory,
  flags = [],
  hasHistory = false,
  timeoutMs = 240_000,
}: {
  dataDirectory: string;
  flags?: string[];
  /** Begins with its six weeks of history. Most tests count what they see, and begin with an empty one. */
  hasHistory?: boolean;
  timeoutMs?: number;
}): Promise<RunningDemo> {
  const port = String(await findFreePort());
  const history = hasHistory ? [] : ["--no-history"];
  const args = ["demo", "--port", port, "--data-dir", dataDirectory, ...history, ...flags];
  const running = await startLauncher({ args, timeoutMs });
  return { ...running, demo: readDemoFile(dataDirectory) };
}

/** Starts `gatehouse demo` or `gatehouse up` and waits for the ready line; throws its stderr output. */
export async function startLauncher({
  args,
  env = {},
  timeoutMs = 240_000,
}: {
  args: string[];
  env?: Record<string, string>;
  timeoutMs?: number;
}): Promise<RunningLauncher> {
  const entry = join(import.meta.dirname, "../bin/gatehouse.mjs");
  const launcher = spawn(process.execPath, [entry, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...env },
  });
  const exited = new Promise<number | null>((resolve) => launcher.once("exit", resolve));
  let said = "";
  launcher.stderr.on("data", (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-4000);
  });
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => fail(`no ready line within ${timeoutMs / 1000} s`), timeoutMs);
    const fail = (reason: string) => {
      clearTimeout(timer);
      launcher.kill("SIGTERM");
      reject(new Error(`gatehouse did not start: ${reason}\n${said}`));
    };
    let output = "";
    launcher.stdout.on("data", (chunk: Buffer) => {
      output += chunk.toString();
      if (!/^gatehouse ready http/m.test(output)) return;
      clearTimeout(timer);
      resolve();
    });
    void exited.then((code) => fail(`exit status ${code}`));
  });
  return {
    launcher,
    stop: () => {
      launcher.kill("SIGTERM");
      return exited;
    },
    readErrors: () => said,
  };
}

export function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      const port = typeof address === "object" && address !== null ? address.port : 0;
      probe.close(() => resolve(port));
    });
  });
}
