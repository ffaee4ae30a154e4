import type { PoolClient } from "pg";
import type { Parsed } from "#lib/domain/kube/kube-object.ts";
import type { SourceKey } from "#lib/server/clusters/sources/watched-resources.ts";
import { mapInSlices } from "#lib/server/platform/db/slices.ts";
import type { Gone, KindWriter, ObjectEntry, PoisonEntry } from "#lib/server/recording/store/batch-types.ts";
import type { ChangeRow } from "#lib/server/recording/store/change-rows.ts";
import { type Join, lockJoin } from "#lib/server/recording/store/view-lock.ts";

/** One version of an object, parsed. */
export type SeenObject<Value> = { entry: ObjectEntry; value: Value };

type Common<Value> = {
  /** Joins that are made when its tables are written; locked first. */
  joins?: readonly Join[];
  parse(object: unknown): Parsed<Value>;
  /** For very numerous kinds: of a readable object, only the value that `parse` returned waits in memory. */
  keepsOnlyValue?: boolean;
  /** Returns the part that is redacted to be stored, the same one each time; omitted if only single texts are. */
  partToRedact?(seenObject: SeenObject<Value>): unknown;
  /** Marks objects gone, and returns what readers must fetch again. If omitted, none is ever marked. */
  markGone?(tx: PoolClient, gone: Gone): Promise<ChangeRow[]>;
  listLive?(tx: PoolClient): Promise<string[]>;
};

/** One kind of object: how it is parsed and stored, and what readers must fetch again. */
export type RowKind<Value, Row> = Common<Value> & {
  toRow(seenObject: SeenObject<Value>): Row;
  /** Inserts the rows, one per object: its newest version. Returns what readers must fetch again. */
  store(tx: PoolClient, rows: readonly Row[], seenObjects: readonly SeenObject<Value>[]): Promise<ChangeRow[]>;
};

/** Creates the writer of a kind that needs no memory of written objects. */
export function createRowWriter<Value, Row>(source: SourceKey, kind: RowKind<Value, Row>): KindWriter {
  return createOrderedWriter(source, {
    ...kind,
    async store(tx, seenObjects) {
      const newest = new Map(seenObjects.map((seenObject) => [seenObject.entry.uid, seenObject])).values();
      return { changes: await kind.store(tx, await mapInSlices(newest, kind.toRow), seenObjects) };
    },
  });
}

/** Creates a writer that takes the seen versions in order. Some kinds compare each version with the one before. */
export function createOrderedWriter<Value>(
  source: SourceKey,
  kind: Common<Value> & {
    store(
      tx: PoolClient,
      seenObjects: readonly SeenObject<Value>[],
    ): Promise<{ changes: ChangeRow[]; committed?: () => void }>;
    /** Clears the memory of stored objects. */
    reset?(): void;
  },
): KindWriter {
  const read = (entry: ObjectEntry): Parsed<Value> => readingOf<Value>(entry) ?? kind.parse(entry.object);
  return {
    ...(kind.keepsOnlyValue === true ? { prepare: (entry: ObjectEntry) => keepOnlyValue(entry, kind.parse) } : {}),
    partToRedact(entry) {
      const parsed = read(entry);
      entry.reading = parsed;
      // An unreadable one is kept whole, for the quarantine.
      return parsed.ok ? kind.partToRedact?.({ entry, value: parsed.value }) : entry.object;
    },
    async write(tx, entries) {
      for (const join of kind.joins ?? []) await lockJoin(tx, join, source.cluster);
      const seenObjects: SeenObject<Value>[] = [];
      const poison: PoisonEntry[] = [];
      for (const { entry, parsed } of await mapInSlices(entries, (entry) => ({ entry, parsed: read(entry) }))) {
        if (parsed.ok) seenObjects.push({ entry, value: parsed.value });
        else poison.push({ entry, reason: parsed.reason });
      }
      const { changes, committed = () => {} } = await kind.store(tx, seenObjects);
      return { changes, poison, committed };
    },
    markGone: kind.markGone ?? (async () => []),
    listLive: kind.listLive ?? (async () => []),
    reset: kind.reset ?? (() => {}),
  };
}

/** Reads the object once, on arrival. An unreadable one is kept whole, for the quarantine. */
function keepOnlyValue(entry: ObjectEntry, parse: (object: unknown) => Parsed<unknown>): void {
  entry.reading = parse(entry.object);
  if (entry.reading.ok) entry.object = entry.reading.value;
}

/** Returns what `prepare` read. An entry has one writer, so the value is of the type that this writer reads. */
export function readingOf<Value>({ reading }: ObjectEntry): Parsed<Value> | undefined {
  return reading as Parsed<Value> | undefined;
}
