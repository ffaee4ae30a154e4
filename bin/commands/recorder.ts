import { runRecorder } from "#lib/server/recorder/run-recorder.ts";
import { parseFlags } from "../command-line.ts";

/** `gatehouse recorder`: watches the clusters of the config and records, until it is told to stop. */
export async function runRecorderCommand(args: string[]): Promise<number> {
  parseFlags(args, {});
  await runRecorder();
  return 0;
}
