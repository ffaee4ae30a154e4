import { type Expression, sql } from "kysely";
import type { Pool, PoolClient } from "pg";
import type { SourceKey } from "#lib/server/clusters/sources/watched-resources.ts";
import { isOneOf } from "#lib/server/platform/db/conditions.ts";
import { clockTime, secondsBefore } from "#lib/server/platform/db/database-time.ts";
import { awaitLater } from "#lib/server/platform/db/in-transaction.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { readRow, readRows, write } from "#lib/server/platform/db/run-query.ts";
import { jsonOf } from "#lib/server/platform/db/sql-functions.ts";
import { type Columns, fragment, listed, tables } from "#lib/server/platform/db/tables.ts";
import { writeChanges } from "./change-rows.ts";
import { gatherWrites } from "./gather-writes.ts";
import { type Lease, LeaseLostError, selectFence } from "./lease.ts";
import { storableText } from "./text-fields.ts";

const row = fragment<{ source: "source" }>();

/** The objects that a source holds back, and why: the list was empty, or too many objects went at once. */
export type StoredHold = { id: string; reason: Column.HoldReason; objects: Column.HeldObjects };

/** Columns to update for a source. Contacts are times of `performance.now()`; omitted fields stay as they are. */
export type SourceUpdate = {
  state?: Column.SourceState;
  lastError?: string | null;
  /** Written with `lastError`. */
  errorCode?: Column.SourceErrorCode | null;
  watchContact?: number;
  readContact?: number;
  isSynced?: boolean;
  resourceVersion?: string;
  objects?: number;
  clockSkewMs?: number;
  /** Everything that is held now; null if nothing is. */
  hold?: StoredHold | null;
};

/** Creates the source's row and its cluster's if they are missing. Reads the checkpoint and the hold of an earlier process. */
export async function openSource(
  tx: PoolClient,
  { source, staleAfterMs }: { source: SourceKey; staleAfterMs: number },
): Promise<{ resourceVersion: string | undefined; hold: StoredHold | undefined }> {
  const { id, cluster, resource, kind, namespace } = source;
  const prisma = prismaOn(tx);
  await prisma.cluster.createMany({ data: { name: cluster }, skipDuplicates: true });
  const opened = await readRow(
    tx,
    tables
      .insertInto("source")
      .values({
        ...{ id, cluster, resource, kind, namespace },
        state: "syncing",
        stale_after_ms: staleAfterMs,
        history_begins_at: clockTime,
      })
      .onConflict((conflict) =>
        conflict.column("id").doUpdateSet(
          ({ ref, fn }) =>
            ({
              state: sql.lit("syncing" as const),
              stale_after_ms: ref("excluded.stale_after_ms"),
              history_begins_at: fn.coalesce("source.history_begins_at", "excluded.history_begins_at"),
              updated_at: clockTime,
            }) satisfies Columns<"source">,
        ),
      )
      .returning("resource_version"),
  );
  const hold = await prisma.sourceHold.findFirst({
    where: { sourceId: id },
    select: { id: true, reason: true, objects: true },
  });
  return { resourceVersion: opened?.resource_version ?? undefined, hold: hold ?? undefined };
}

/** Returns the columns that the update sets. Contacts become times of the database's clock, which readers compare. */
function columnsOf({ update, now }: { update: SourceUpdate; now: number }) {
  const { fn, ref } = row;
  const later = (column: Expression<Date | null>, contact: number | undefined) =>
    contact === undefined
      ? undefined
      : fn<Date>("greatest", [column, secondsBefore(clockTime, Math.max(0, (now - contact) / 1000))]);
  const { watchContact, readContact, lastError, errorCode = null } = update;
  return {
    state: update.state,
    last_error: lastError && storableText(lastError).slice(0, 1000),
    error_code: lastError === undefined ? undefined : errorCode,
    watch_contact_at: later(ref("source.watch_contact_at"), watchContact),
    read_contact_at: later(ref("source.read_contact_at"), readContact),
    synced_at: update.isSynced === true ? clockTime : undefined,
    resource_version: update.resourceVersion,
    objects: update.objects,
    clock_skew_ms: update.clockSkewMs,
    updated_at: clockTime,
  } satisfies Columns<"source">;
}

/** Updates the source's row. A change of state is also written to the change log. */
export async function updateSource(
  tx: PoolClient,
  { source, update, now }: { source: SourceKey; update: SourceUpdate; now: number },
): Promise<void> {
  if (isQuiet(update)) {
    const quiet = tables.updateTable("source").set(columnsOf({ update, now })).where("id", "=", source.id);
    return awaitLater(tx, write(tx, quiet, { isPrepared: true }));
  }
  const updated = await readRow(
    tx,
    tables
      .with("before", (db) => db.selectFrom("source").select(["id", "state"]).where("id", "=", source.id))
      .updateTable("source")
      .from("before")
      .set(columnsOf({ update, now }))
      .whereRef("source.id", "=", "before.id")
      .returning(({ eb }) => eb("before.state", "<>", eb.ref("source.state")).as("is_changed")),
  );
  const isHoldChanged = update.hold !== undefined && (await storeHold(tx, source.id, update.hold));
  if (updated?.is_changed !== true && !isHoldChanged) return;
  const { cluster, namespace } = source;
  await writeChanges(tx, [
    { kind: "source", ref: source.id, op: "upsert", cluster, namespace, object_kind: null, name: null },
  ]);
}

/** Returns whether the update changes neither state nor hold, so that no reader needs to be told. */
export function isQuiet({ state, hold }: SourceUpdate): boolean {
  return state === undefined && hold === undefined;
}

type QuietUpdate = { source: SourceKey; lease: Lease; update: SourceUpdate; now: number };

const gatherQuietUpdate = gatherWrites({ gatherMs: 50, writeAll: writeQuietUpdates, writeOne: writeOneQuietUpdate });

/**
 * Writes a quiet update in one statement, with the fence of a batch. Sources that only tell of contacts share it: while
 * nothing changes, there is no other write, and many sources would take most of a core. Throws `LeaseLostError` if the
 * lease is no longer ours.
 */
export function writeQuietUpdate(pool: Pool, asked: QuietUpdate): Promise<void> {
  const { isSynced, lastError } = asked.update;
  const isShared = isSynced === undefined && lastError === undefined;
  return isShared ? gatherQuietUpdate(pool, asked) : writeOneQuietUpdate(pool, asked);
}

const sharedTypes = {
  id: "text",
  holder: "text",
  epoch: "text",
  version: "text",
  watch_ago: "text",
  read_ago: "text",
  objects: "text",
  skew: "text",
} as const;

/**
 * Writes those whose leases are ours and not locked by a take-over, and returns them. A lock on one lease does not keep
 * the others waiting.
 */
async function writeQuietUpdates(pool: Pool, asked: readonly QuietUpdate[]): Promise<Set<QuietUpdate>> {
  const textOf = (value: number | undefined) => (value === undefined ? null : String(value));
  const rows = asked.map(({ source, lease, update, now }) => {
    const secondsSince = (contact: number | undefined) =>
      contact === undefined ? null : textOf(Math.max(0, (now - contact) / 1000));
    return {
      ...{ id: source.id, holder: lease.holder, epoch: lease.epoch, version: update.resourceVersion ?? null },
      ...{ watch_ago: secondsSince(update.watchContact), read_ago: secondsSince(update.readContact) },
      ...{ objects: textOf(update.objects), skew: textOf(update.clockSkewMs) },
    };
  });
  const held = await readRows(
    pool,
    tables
      .with("given", (db) => db.selectFrom(listed("row", rows, sharedTypes)).selectAll())
      .with("fence", (db) =>
        db
          .selectFrom("source_lease as l")
          .innerJoin("given as g", (join) =>
            join
              .onRef("g.id", "=", "l.source_id")
              .onRef("g.holder", "=", "l.holder")
              .on(({ eb, cast, ref }) => eb("l.epoch", "=", cast<string>(ref("g.epoch"), "bigint"))),
          )
          .selectAll("g")
          .forKeyShare("l")
          .skipLocked(),
      )
      .with("updated", (db) =>
        db
          .updateTable("source")
          .from("fence as g")
          .set(({ fn, ref, cast }) => {
            // Of a contact that is not given the time is null, which is never the greatest.
            const later = (column: "watch_contact_at" | "read_contact_at", ago: "g.watch_ago" | "g.read_ago") =>
              fn<Date>("greatest", [
                ref(`source.${column}`),
                secondsBefore(clockTime, cast<number>(ref(ago), "float8")),
              ]);
            const given = (column: "g.objects" | "g.skew") => cast<number>(ref(column), "integer");
            return {
              watch_contact_at: later("watch_contact_at", "g.watch_ago"),
              read_contact_at: later("read_contact_at", "g.read_ago"),
              resource_version: fn.coalesce(ref("g.version"), ref("source.resource_version")),
              objects: fn.coalesce(given("g.objects"), ref("source.objects")),
              clock_skew_ms: fn.coalesce(given("g.skew"), ref("source.clock_skew_ms")),
              updated_at: clockTime,
            } satisfies Columns<"source">;
          })
          .whereRef("source.id", "=", "g.id")
          .returning("source.id"),
      )
      .selectFrom("fence")
      .select("fence.id"),
  );
  const ids = new Set(held.map(({ id }) => id));
  return new Set(asked.filter(({ source }) => ids.has(source.id)));
}

async function writeOneQuietUpdate(pool: Pool, { source, lease, update, now }: QuietUpdate): Promise<void> {
  const held = await write(
    pool,
    tables
      .with("fence", () => selectFence(lease))
      .with("updated", (db) =>
        db
          .updateTable("source")
          .from("fence")
          .set(columnsOf({ update, now }))
          .where("source.id", "=", source.id)
          .returning("source.id"),
      )
      .selectFrom("fence")
      .select("held"),
  );
  if (held !== 1) throw new LeaseLostError(source.id);
}

/** Stores the hold. Its start time stays unchanged for as long as it is the same hold. */
async function storeHold(tx: PoolClient, sourceId: string, hold: StoredHold | null): Promise<boolean> {
  if (hold === null) return (await prismaOn(tx).sourceHold.deleteMany({ where: { sourceId } })).count !== 0;
  const { id, reason } = hold;
  const objects = jsonOf<Column.HeldObjects>(JSON.stringify(hold.objects));
  await write(
    tx,
    tables
      .insertInto("source_hold")
      .values({ source_id: sourceId, id, reason, since: clockTime, objects })
      .onConflict((conflict) =>
        conflict.column("source_id").doUpdateSet(
          ({ eb, ref }) =>
            ({
              id: ref("excluded.id"),
              reason: ref("excluded.reason"),
              objects: ref("excluded.objects"),
              since: eb
                .case()
                .when("source_hold.id", "=", ref("excluded.id"))
                .then(ref("source_hold.since"))
                .else(ref("excluded.since"))
                .end(),
            }) satisfies Columns<"source_hold">,
        ),
      ),
  );
  return true;
}

export type Release = { id: string; holdId: string; uids: string[] };

/** Lists the releases that people requested and that are not carried out yet. */
export async function listReleases(pool: Pool, sourceId: string): Promise<Release[]> {
  return prismaOn(pool).sourceRelease.findMany({
    where: { sourceId, doneAt: null },
    select: { id: true, holdId: true, uids: true },
    orderBy: { askedAt: "asc" },
  });
}

export async function finishReleases(tx: PoolClient, ids: readonly string[]): Promise<void> {
  const update = tables.updateTable("source_release").set({ done_at: clockTime });
  await write(
    tx,
    update.where(({ ref }) => isOneOf(ref("id"), ids, "uuid")),
  );
}

/**
 * Compares the uid of the kube-system namespace with the first one recorded for the cluster. Returns false if it is
 * another cluster. The first caller's uid is kept.
 */
export async function claimClusterIdentity(
  pool: Pool,
  { cluster, uid }: { cluster: string; uid: string },
): Promise<boolean> {
  const known = await readRow(
    pool,
    tables
      .insertInto("cluster")
      .values({ name: cluster, kube_system_uid: uid })
      .onConflict((conflict) =>
        conflict.column("name").doUpdateSet(
          ({ fn }) =>
            ({
              kube_system_uid: fn.coalesce("cluster.kube_system_uid", "excluded.kube_system_uid"),
            }) satisfies Columns<"cluster">,
        ),
      )
      .returning("kube_system_uid"),
  );
  return known?.kube_system_uid === uid;
}
