import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

export const realFlaggerVersions = ["1.43.0", "1.44.0"] as const;

/** Reads a recording of the real Flagger controller, in order of arrival; see test/fixtures/real-controllers. */
export function readRealFlagger<Item>(
  version: (typeof realFlaggerVersions)[number],
  kind: "canaries" | "deployments" | "events",
) {
  const file = join(import.meta.dirname, "fixtures/real-controllers/flagger", `${version}-${kind}.jsonl.gz`);
  return gunzipSync(readFileSync(file))
    .toString("utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line): { at: string; type: "ADDED" | "MODIFIED" | "DELETED" | "LISTED"; object: Item } => JSON.parse(line));
}
