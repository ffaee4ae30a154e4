import { setFlagsFromString } from "node:v8";
import { runRecorder } from "#lib/server/edge/recorder-process/run-recorder.ts";
import { parseFlags } from "../command-line.ts";

/** Runs `gatehouse recorder`: watches the clusters of the config and records, until it is stopped. */
export async function runRecorderCommand(args: string[]): Promise<number> {
  parseFlags(args, {});
  // By default, the heap may grow to four times its live data before garbage collection. Lists of a large cluster are
  // mostly garbage around few live objects: growing to twice is as fast and halves the process. No hard limit, which
  // would end the process.
  setFlagsFromString("--heap-growing-percent=100");
  await runRecorder();
  return 0;
}
