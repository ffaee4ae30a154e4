import { setFlagsFromString } from "node:v8";
import { runRecorder } from "#lib/server/recorder-process/run-recorder.ts";
import { parseFlags } from "../command-line.ts";

/** `gatehouse recorder`: watches the clusters of the config and records, until it is told to stop. */
export async function runRecorderCommand(args: string[]): Promise<number> {
  parseFlags(args, {});
  // By default the heap may grow to four times what lives in it before it is swept. Lists of a large cluster are much
  // garbage around few live objects: twice is as fast and halves the process. No hard limit, which would end it.
  setFlagsFromString("--heap-growing-percent=100");
  await runRecorder();
  return 0;
}
