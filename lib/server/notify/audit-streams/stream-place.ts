import { sql } from "kysely";
import { genesisHash } from "#lib/domain/audit/audit-chain.ts";
import type { StreamedEntry } from "#lib/domain/audit/format-stream.ts";
import { clockTime } from "#lib/server/platform/db/database-time.ts";
import { type Connection, readRow, readRows, write } from "#lib/server/platform/db/run-query.ts";
import { type Columns, tables } from "#lib/server/platform/db/tables.ts";

/** A request takes at most this many entries, and at most this many bytes unless one entry has more. */
const maxEntries = 200;
const maxBytes = 512 * 1024;

export type StreamPlace = { seq: number; hash: string | null; error: string | null };

/** Reads how far a stream has come. One that never ran gets its place before `firstSeq`. */
export async function openPlace(
  pool: Connection,
  { name, firstSeq }: { name: string; firstSeq: number },
): Promise<StreamPlace> {
  const select = tables.selectFrom("audit_stream").select(["seq", "hash", "error"]).where("name", "=", name);
  const known = await readRow(pool, select);
  if (known !== undefined) return { ...known, seq: Number(known.seq) };
  const seq = firstSeq - 1;
  const hash = seq === 0 ? genesisHash : ((await readHash(pool, seq)) ?? null);
  await write(
    pool,
    tables
      .insertInto("audit_stream")
      .values({ name, seq: String(seq), hash })
      .onConflict((conflict) => conflict.column("name").doNothing()),
  );
  return { seq, hash, error: null };
}

/** Reads the hash of an entry; undefined if there is no such entry. */
export async function readHash(pool: Connection, seq: number): Promise<string | undefined> {
  const select = tables.selectFrom("audit_entry").select("hash").where("audit_entry.seq", "=", String(seq));
  return (await readRow(pool, select))?.hash;
}

const selectEntries = tables
  .selectFrom("audit_entry")
  .select(["seq", "entry", "entry_hash", "previous_hash", "hash", "code", "source", "action", "outcome", "action_id"])
  .select(["actor_name", "cluster", "namespace", "kind", "name"])
  .select(({ ref }) =>
    sql<string>`to_char(${ref("time")} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`.as("time"),
  )
  .orderBy("audit_entry.seq")
  .limit(maxEntries);

/** Reads the entries after the place, in order, at most a request's worth. */
export async function readEntriesAfter(pool: Connection, seq: number): Promise<StreamedEntry[]> {
  const rows = await readRows(pool, selectEntries.where("audit_entry.seq", ">", String(seq)));
  let bytes = 0;
  const fitting = rows.filter(({ entry }, index) => {
    bytes += Buffer.byteLength(entry);
    return index === 0 || bytes <= maxBytes;
  });
  return fitting.map((row) => ({
    ...{ seq: Number(row.seq), previousHash: row.previous_hash, hash: row.hash, entryHash: row.entry_hash },
    ...{ time: row.time, code: row.code, source: row.source, action: row.action, outcome: row.outcome },
    ...{ actionId: row.action_id, actor: row.actor_name, cluster: row.cluster, namespace: row.namespace },
    ...{ kind: row.kind, name: row.name, entry: row.entry },
  }));
}

/** Moves the place on after the receiver took entries. Resolves with false if another recorder has moved it. */
export async function confirmEntries(
  pool: Connection,
  { name, from, last }: { name: string; from: number; last: StreamedEntry },
): Promise<boolean> {
  const moved = await write(
    pool,
    tables
      .updateTable("audit_stream")
      .set({ seq: String(last.seq), hash: last.hash, failing_since: null, error: null })
      .where("name", "=", name)
      .where("seq", "=", String(from)),
  );
  return moved > 0;
}

/** Stores why entries do not arrive, until some do. */
export async function storeFailure(pool: Connection, name: string, error: string): Promise<void> {
  await write(
    pool,
    tables
      .updateTable("audit_stream")
      .set(
        ({ fn, ref }) =>
          ({ error, failing_since: fn.coalesce(ref("failing_since"), clockTime) }) satisfies Columns<"audit_stream">,
      )
      .where("name", "=", name),
  );
}
