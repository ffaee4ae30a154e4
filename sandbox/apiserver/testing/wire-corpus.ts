import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isPlainObject } from "#sandbox/apiserver/shared-copy.ts";
import type { KubeObject } from "#sandbox/apiserver/store-types.ts";

/** Exchanges recorded from a real kube-apiserver, read from their directory next to the checkout. */
export const RECORDINGS = join(import.meta.dirname, "../../../../shared/data/kube-wire");

export type RecordedEvent = { type: string; object: KubeObject };

export type Recording = {
  name: string;
  request: { method: string; path: string; headers: Record<string, string | string[]>; body?: unknown };
  /** Missing in the one file that is not a single exchange. */
  response?: {
    /** Null if the connection closed without a response. */
    status: number | null;
    headers: Record<string, string>;
    body?: unknown;
    chunks?: { lines?: RecordedEvent[]; text?: string }[];
    /** Set if the file keeps only the first item. */
    itemsInAll?: number;
  };
};

export function recordingNames(): string[] {
  const files = readdirSync(RECORDINGS).filter((file) => file.endsWith(".json") && file !== "INDEX.json");
  return files.map((file) => file.slice(0, -".json".length)).sort();
}

export function readRecording(name: string): Recording {
  return JSON.parse(readFileSync(join(RECORDINGS, `${name}.json`), "utf8")) as Recording;
}

/** Returns whether a recording is an open watch rather than a single response. */
export function isWatch({ response }: Recording): boolean {
  return response?.chunks !== undefined && response.status === 200;
}

/** Returns the events of a recorded watch, in order; some files keep them as text. */
export function recordedEvents({ response }: Recording): RecordedEvent[] {
  const chunks = response?.chunks ?? [];
  const parsed = chunks.flatMap((chunk) => chunk.lines ?? []);
  const texts = chunks.map((chunk) => chunk.text ?? "").join("");
  const lines = texts.split("\n").filter((line) => line !== "");
  return [...parsed, ...lines.map((line) => JSON.parse(line) as RecordedEvent)];
}

/** Returns the whole objects in a response: itself, the items of a list, or those of events. */
export function objectsOf(recording: Recording): KubeObject[] {
  const body = recording.response?.body;
  const events = recordedEvents(recording).map(({ object }) => object);
  const items = isPlainObject(body) && Array.isArray(body.items) ? body.items : [];
  const list = isPlainObject(body) ? { apiVersion: body.apiVersion, kind: String(body.kind).replace(/List$/, "") } : {};
  // Lists of the built-in kinds omit both in their items.
  const named = items.map((item: Record<string, unknown>) => ({ ...list, ...item }));
  return [body, ...named, ...events].filter(isStoredObject);
}

function isStoredObject(value: unknown): value is KubeObject {
  if (!isPlainObject(value) || !isPlainObject(value.metadata) || !isWhole(value.kind)) return false;
  return typeof value.metadata.uid === "string" && typeof value.metadata.resourceVersion === "string";
}

function isWhole(kind: unknown): boolean {
  return kind !== "PartialObjectMetadata" && kind !== "Scale" && kind !== "Table";
}

/** Every state of every object in any recording, so that the state before a write can be restored. */
export class WireCorpus {
  readonly #states = new Map<string, KubeObject[]>();

  constructor() {
    for (const recording of recordingNames().map(readRecording)) {
      // A dry run shows a state that never existed.
      if (recording.request?.path.includes("dryRun=")) continue;
      for (const object of objectsOf(recording)) {
        const states = this.#states.get(object.metadata.uid) ?? [];
        states.push(object);
        this.#states.set(object.metadata.uid, states);
      }
    }
    for (const states of this.#states.values()) states.sort((left, right) => versionOf(left) - versionOf(right));
  }

  /** Returns the newest earlier state of the same object. */
  stateBefore(after: KubeObject): KubeObject | undefined {
    return this.#states.get(after.metadata.uid)?.findLast((state) => versionOf(state) < versionOf(after));
  }

  /** Returns the state of the same object at that version, for a write that changed nothing. */
  stateAt(object: KubeObject): KubeObject | undefined {
    return this.#states.get(object.metadata.uid)?.findLast((state) => versionOf(state) <= versionOf(object));
  }
}

function versionOf(object: KubeObject): number {
  return Number(object.metadata.resourceVersion);
}
