import { setFlagsFromString } from "node:v8";
import { runRecorder } from "#lib/server/edge/recorder-process/run-recorder.ts";
import { parseFlags } from "../command-line.ts";
import { heapGrowth } from "../launcher/node-flags.ts";

/** Runs `gatehouse recorder`: watches the clusters of the config and records, until it is stopped. */
export async function runRecorderCommand(args: string[]): Promise<number> {
  parseFlags(args, {});
  setFlagsFromString(heapGrowth);
  await runRecorder();
  return 0;
}
