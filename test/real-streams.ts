import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

/** Recordings of a real API server and the real Argo Rollouts controller; see test/fixtures/real-controllers. */
export const realStreams = [
  "s1",
  "s1b",
  "s3",
  "s4",
  "s5",
  "s6",
  "outside",
  "background-inconclusive/bg2-gate0",
  "background-inconclusive/bg2-inline",
  "background-inconclusive/bg4",
  "background-inconclusive/s2-timed",
  "background-inconclusive/v193",
] as const;
export type RealStream = (typeof realStreams)[number];

export type RealLine = {
  /** When the recording received it. The objects' own times are whole seconds. */
  at: string;
  /** LISTED is an object in the list with which a stream began. */
  type: "ADDED" | "MODIFIED" | "DELETED" | "LISTED";
  object: RealObject;
};

export type RealObject = {
  apiVersion: string;
  kind: string;
  metadata: {
    name: string;
    namespace: string;
    uid: string;
    resourceVersion: string;
    generation?: number;
    creationTimestamp: string;
    labels?: Record<string, string>;
    annotations?: Record<string, string>;
    ownerReferences?: { apiVersion: string; kind: string; name: string; uid: string; controller?: boolean }[];
    managedFields?: Record<string, unknown>[];
  };
  spec?: Record<string, unknown>;
  status?: Record<string, unknown>;
};

/** Reads all lines of a recording, in order of arrival. */
export function readRealStream(stream: RealStream): RealLine[] {
  const file = join(import.meta.dirname, "fixtures/real-controllers/argo", `${stream}.jsonl.gz`);
  return gunzipSync(readFileSync(file))
    .toString("utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

/** Returns the states of one object as they arrived, without those that a later list only repeats. */
export function statesOf(lines: readonly RealLine[], kind: string, name: string): RealObject[] {
  const seen = new Set<string>();
  return lines.flatMap(({ object }) => {
    const { resourceVersion, uid } = object.metadata;
    if (object.kind !== kind || object.metadata.name !== name || seen.has(`${uid}/${resourceVersion}`)) return [];
    seen.add(`${uid}/${resourceVersion}`);
    return [object];
  });
}
