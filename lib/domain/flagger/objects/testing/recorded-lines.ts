import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

/** A line of a recorded watch stream; `at` is the time of arrival. */
export type RecordedLine = {
  at: string;
  type: string;
  object: { kind: string; metadata: { name: string; resourceVersion: string } & Record<string, unknown> };
};

const folder = join(import.meta.dirname, "../../../../../test/fixtures/real-controllers/flagger");

/** Reads the objects that the real controllers wrote, in order of arrival. */
export function readRecorded(version: "1.43.0" | "1.44.0", plural: "canaries" | "deployments"): RecordedLine[] {
  return gunzipSync(readFileSync(join(folder, `${version}-${plural}.jsonl.gz`)))
    .toString("utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}
