import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { SandboxCommands } from "./sandbox-driver.ts";

export type BenchCluster = SandboxCommands & {
  url: string;
  token: string;
  /** Objects for `change`. */
  addLiveRuns(objects: number): Promise<void>;
  close(): Promise<void>;
};

/** Starts the cluster in a process of its own. `eventLimit`: how many changes a watch can resume over. */
export async function startCluster({ eventLimit = 200_000 }: { eventLimit?: number } = {}): Promise<BenchCluster> {
  const child = fork(join(import.meta.dirname, "play-cluster.ts"), [String(eventLimit)], {
    execArgv: ["--max-old-space-size=8192"],
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  let ids = 0;
  const address = new Promise<{ url: string; token: string }>((resolve, reject) => {
    child.once("message", (message) => resolve(message as { url: string; token: string }));
    child.once("exit", (code) => reject(new Error(`the cluster's process ended with status ${code}`)));
  });
  const { url, token } = await address;
  child.on("message", ({ id, result, error }: { id: number; result: unknown; error?: string }) => {
    const asked = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) asked?.resolve(result);
    else asked?.reject(new Error(error));
  });
  child.on("exit", () => {
    for (const { reject } of waiting.values()) reject(new Error("the cluster's process ended"));
  });
  const call = (command: string, input: unknown): Promise<never> =>
    new Promise((resolve, reject) => {
      const id = ++ids;
      waiting.set(id, { resolve: resolve as (value: unknown) => void, reject });
      child.send({ id, command, input });
    });
  return {
    url,
    token,
    fill: (input) => call("fill", input),
    change: (input) => call("change", input),
    churn: (input) => call("churn", input),
    watches: (input) => call("watches", input),
    addLiveRuns: (objects) => call("addLiveRuns", objects),
    close: () => endChild(child),
  };
}

export async function endChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
}
