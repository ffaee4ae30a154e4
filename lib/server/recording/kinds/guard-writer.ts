import { explainExcess, measureObject } from "#lib/domain/storable/measure-object.ts";
import type { SourceKey } from "#lib/server/clusters/sources/watched-resources.ts";
import {
  type EvaluationPool,
  largestInline,
  redactInThread,
  redactWithinMs,
} from "#lib/server/platform/evaluation/evaluation-pool.ts";
import type { KindWriter, ObjectEntry } from "#lib/server/recording/store/batch-types.ts";

export type GuardOptions = {
  source: Pick<SourceKey, "cluster">;
  evaluations: Pick<EvaluationPool, "run">;
  /** For tests. */
  redactWithinMs?: number | undefined;
};

/** A cluster's sources wait for a thread in turn, each for one object at a time. */
const mostWaiting = 1000;
const waitMs = 60_000;

/**
 * Keeps objects that are too large from a writer, and has large ones redacted in a thread that can be killed. Refused
 * objects go to quarantine with the reason. A cluster has one thread at a time, so that its objects do not delay
 * another cluster's.
 */
export function guardWriter(writer: KindWriter, options: GuardOptions): KindWriter {
  return {
    ...writer,
    prepare(entry) {
      const size = measureObject(entry.object);
      // In a list, only the mean size is known.
      entry.size = Math.max(entry.size ?? 0, size.characters);
      const excess = explainExcess(entry.object, size);
      if (excess === undefined) writer.prepare?.(entry);
      else entry.refusal = `${nameOf(entry.object)} is too large to be read: ${excess}`;
    },
    async complete(entries) {
      const killed = new Map<string, string>();
      // The newest first: if a thread cannot redact it, the same object's earlier versions are not tried.
      for (const entry of entries.toReversed()) {
        if (entry.refusal !== undefined || entry.redaction !== undefined || (entry.size ?? 0) <= largestInline)
          continue;
        entry.refusal = killed.get(entry.uid) ?? (await redactLarge({ ...options, writer, entry }));
        if (entry.refusal !== undefined) killed.set(entry.uid, entry.refusal);
      }
    },
    async write(tx, entries) {
      const refused = entries.flatMap((entry) => (entry.refusal === undefined ? [] : { entry, reason: entry.refusal }));
      const readable = refused.length === 0 ? entries : entries.filter(({ refusal }) => refusal === undefined);
      const result = await writer.write(tx, readable);
      return { ...result, poison: [...result.poison, ...refused] };
    },
  };
}

/** Redacts the part that is stored. Returns why the object must not be stored; undefined if it may. */
async function redactLarge({
  source,
  evaluations,
  writer,
  entry,
  redactWithinMs: limitMs = redactWithinMs,
}: GuardOptions & { writer: KindWriter; entry: ObjectEntry }): Promise<string | undefined> {
  const part = findPart(writer, entry);
  if (part === undefined || measureObject(part).characters <= largestInline) return undefined;
  const request = { owner: `cluster ${source.cluster}`, most: mostWaiting, limitMs, waitMs };
  const outcome = await redactInThread(evaluations, part, request);
  if ("value" in outcome) {
    entry.redaction = { ...outcome.value, part };
    return undefined;
  }
  const { refused, error } = outcome;
  const name = nameOf(entry.object);
  if (refused === "too-long")
    return `${name} was not redacted within ${limitMs} ms and the memory of a thread: it has ${entry.size} characters`;
  if (refused === "failed") return `${name} could not be redacted: ${error}`;
  throw new Error(`no thread is free to redact a large object: ${error ?? refused}`);
}

/** Finds the part. A failure recurs when it is the entry's turn, and the entry is quarantined then. */
function findPart(writer: KindWriter, entry: ObjectEntry): unknown {
  try {
    return writer.partToRedact?.(entry);
  } catch {
    return undefined;
  }
}

const longestName = 253;

/** Names the object as far as it can be read. */
function nameOf(object: unknown): string {
  const { kind, metadata } = (object ?? {}) as { kind?: unknown; metadata?: { namespace?: unknown; name?: unknown } };
  const place = [metadata?.namespace, metadata?.name].filter((part) => typeof part === "string" && part !== "");
  return `${typeof kind === "string" ? kind : "object"} ${place.join("/") || "without a name"}`.slice(
    0,
    2 * longestName,
  );
}
