import type { SandboxCommands } from "./sandbox-driver.ts";
import { startHelper } from "./start-helper.ts";

export type BenchCluster = SandboxCommands & { url: string; token: string; close(): Promise<void> };

/** Starts the cluster in a separate process. `eventLimit`: how many changes a watch can resume over. */
export async function startCluster({ eventLimit = 200_000 }: { eventLimit?: number } = {}): Promise<BenchCluster> {
  const { hello, call, close } = await startHelper<{ url: string; token: string }>("play-cluster.ts", [
    String(eventLimit),
  ]);
  return {
    ...hello,
    fill: (input) => call("fill", input),
    addLiveRuns: (input) => call("addLiveRuns", input),
    putObject: (input) => call("putObject", input),
    fault: (input) => call("fault", input),
    change: (input) => call("change", input),
    churn: (input) => call("churn", input),
    watches: (input) => call("watches", input),
    close,
  };
}
