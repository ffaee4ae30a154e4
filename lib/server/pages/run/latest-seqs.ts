import { z } from "zod";
import type { Measurement } from "#lib/contract/analysis-run.ts";
import { DatabaseInt, formatListCursor, parseListCursor } from "#lib/server/records/list-cursor.ts";

/** Name and seq by turns. */
const Key = z.array(z.union([z.string(), DatabaseInt]));

/** A controller repeats its newest measurements if its cache was stale: as many are read again. */
const mayBeRetaken = 5;
/** Measurements at the end of a metric that a position may precede: these, and one that still runs. */
export const newestRead = mayBeRetaken + 1;
/** A longer position does not fit into an address. */
const maxLength = 6_000;

/**
 * Formats how far each metric was read, so that a later request can continue there; null if that does not fit into an
 * address. `known` is the position from which the measurements were read.
 */
export function formatLatest(
  measurements: readonly Measurement[],
  known: ReadonlyMap<string, number> | undefined,
): string | null {
  const latest = new Map(known);
  for (const { metric, seq, finishedAt } of measurements) {
    // One that still runs keeps its seq when it ends.
    const settled = finishedAt === null ? seq - 1 : seq;
    latest.set(metric, Math.max(latest.get(metric) ?? 0, settled - mayBeRetaken));
  }
  const text = formatListCursor([...latest].flat());
  return text.length > maxLength ? null : text;
}

/** Parses such a position; undefined for none. Throws `invalid_request` for one that was never issued. */
export function parseLatest(text: string | undefined): Map<string, number> | undefined {
  const key = parseListCursor(Key, text, "since");
  if (key === undefined) return undefined;
  const latest = new Map<string, number>();
  for (let index = 0; index + 1 < key.length; index += 2) latest.set(String(key[index]), Number(key[index + 1]));
  return latest;
}
