import { type Expression, sql } from "kysely";
import type { Pool } from "pg";
import type { SourceState } from "#lib/contract/system.ts";
import { hideAddresses } from "#lib/domain/storable/redact-text.ts";
import { type RowOf, readRow, readRows } from "#lib/server/platform/db/run-query.ts";
import { fragment, tables } from "#lib/server/platform/db/tables.ts";

const eb = fragment<{ s: "source"; h: "source_hold" }>();
const { ref } = eb;

/** Last contact: the older of the watch's and the read's, and null if either is missing. Freshness needs both. */
const lastContact = eb
  .case()
  .when(eb.and([eb("s.watch_contact_at", "is not", null), eb("s.read_contact_at", "is not", null)]))
  .then(eb.fn<Date>("least", ["s.watch_contact_at", "s.read_contact_at"]))
  .end();

/** Null without a contact. */
const isTooOld = sql<boolean>`now() - ${lastContact} > ${ref("s.stale_after_ms")} * interval '1 millisecond'`;

/**
 * The state for readers, by the database's clock: what the recorder wrote last, unless that is too old. A recorder that
 * is gone cannot report that. A source that was never reached and has an error is in state error: retries are not
 * progress.
 */
const state = eb
  .case()
  .when("s.state", "in", ["denied", "absent", "suspect", "error"])
  .then(ref("s.state"))
  .when(eb.or([isTooOld, eb.and([eb(lastContact, "is", null), eb("s.state", "=", "live")])]))
  .then<SourceState>("stale")
  .when(eb.and([eb(lastContact, "is", null), eb("s.last_error", "is not", null)]))
  .then<SourceState>("error")
  .else(ref("s.state"))
  .end();

/** Somebody released what is held, and the recorder has not carried that out yet. */
const isReleasing = eb
  .exists(
    eb
      .selectFrom("source_release as x")
      .select(sql.lit(1).as("one"))
      .whereRef("x.source_id", "=", "s.id")
      .whereRef("x.hold_id", "=", "h.id")
      .where("x.done_at", "is", null),
  )
  .$castTo<boolean>();

/** The columns of the hold are null if nothing is held. */
const selectSources = tables
  .selectFrom("source as s")
  .leftJoin("source_hold as h", "h.source_id", "s.id")
  .select([
    "s.id",
    "s.cluster",
    "s.kind",
    "s.namespace",
    state.as("state"),
    lastContact.as("last_contact"),
    "s.watch_contact_at",
    "s.read_contact_at",
    // True as well if there never was a contact.
    eb.fn.coalesce(isTooOld, eb.lit(true)).as("is_old"),
    "s.last_error",
    "s.error_code",
    "s.objects",
    "s.history_begins_at",
    "s.stale_after_ms",
    "s.clock_skew_ms",
    "h.id as hold_id",
    "h.reason as hold_reason",
    "h.since as hold_since",
    eb
      .selectFrom(eb.fn<{ uid: string }>("jsonb_object_keys", ["h.objects"]).as("held"))
      .select(({ cast, fn }) => cast<number>(fn.countAll(), "int4").as("count"))
      .as("hold_count"),
    isReleasing.as("is_releasing"),
  ]);

export type SourceRow = RowOf<typeof selectSources>;

/** Reads every source with its freshness now, by cluster, kind and namespace. */
export async function readSources({ pool }: WithPool): Promise<SourceRow[]> {
  return readRows(pool, selectSources.orderBy("s.cluster").orderBy("s.kind").orderBy("s.namespace"));
}

/** Reads the sources of one kind with their freshness now, those of a single namespace first. */
export async function readSourcesOfKind({ pool }: WithPool, kind: string): Promise<SourceRow[]> {
  return readRows(pool, selectSources.where("s.kind", "=", kind).orderBy("s.namespace", "desc"));
}

/** Whether hold `h` is of this object, among others; null without a hold. */
function holds(uid: Expression<string>) {
  return eb(ref("h.objects").$castTo<string>(), "?", uid).$castTo<boolean>();
}

/** Whether rollout `r` is among the objects that its source holds. */
export const isHeld = fragment<{ r: "rollout" }>()
  .exists(({ selectFrom }) =>
    selectFrom("source as s")
      .innerJoin("source_hold as h", "h.source_id", "s.id")
      .select(sql.lit(1).as("one"))
      .whereRef("s.cluster", "=", "r.cluster")
      .whereRef("s.kind", "=", "r.kind")
      .where((eb) => eb("s.namespace", "in", [eb.val(""), eb.ref("r.namespace")]))
      .where(({ ref }) => holds(ref("r.uid"))),
  )
  .$castTo<boolean>();

/**
 * Reads the source that a rollout's view depends on, and whether it holds that rollout; undefined if none was ever
 * recorded.
 */
export async function readRolloutSource(
  { pool }: WithPool,
  { cluster, kind, namespace, uid }: { cluster: string; kind: string; namespace: string; uid: string },
): Promise<(SourceRow & { is_held: boolean }) | undefined> {
  return readRow(
    pool,
    selectSources
      .select(({ fn, lit, val }) => fn.coalesce(holds(val(uid)), lit(false)).as("is_held"))
      .where("s.cluster", "=", cluster)
      .where("s.kind", "=", kind)
      .where("s.namespace", "in", ["", namespace])
      .orderBy("s.namespace", "desc")
      .limit(1),
  );
}

/** The source that the view of rollout `r` depends on, and whether it holds that rollout: for a lateral join. */
export const sourceOfRollout = selectSources
  .select(({ fn, lit }) => fn.coalesce(holds(sql.ref<string>("r.uid")), lit(false)).as("is_held"))
  .where("s.cluster", "=", sql.ref<string>("r.cluster"))
  .where("s.kind", "=", sql.ref<string>("r.kind"))
  .where("s.namespace", "in", [sql.lit(""), sql.ref<string>("r.namespace")])
  .orderBy("s.namespace", "desc")
  .limit(1);

type WithPool = { pool: Pick<Pool, "query"> };

export const otherClusterMessage =
  "another cluster answers under this name (its kube-system namespace has another uid)";
export const backwardsMessage =
  "the cluster's versions went backwards (another cluster, or one restored from a backup, which needs a new database)";

/** The meaning of a source's error code: it may reach another cluster now, so nothing is done there (FC-19). */
const otherClusterMessages: Readonly<Record<NonNullable<SourceRow["error_code"]>, string>> = {
  "other-cluster": otherClusterMessage,
  "versions-backwards": backwardsMessage,
};

/** Explains why no action is possible there, protective or not (FC-19); undefined if nothing prevents it. */
export function explainOtherCluster(row: Pick<SourceRow, "cluster" | "error_code"> | undefined): string | undefined {
  if (row === undefined || row.error_code === null) return undefined;
  return `Nothing is done at ${row.cluster}: ${otherClusterMessages[row.error_code]}.`;
}

type Freshness = Pick<
  SourceRow,
  "cluster" | "kind" | "state" | "last_contact" | "last_error" | "hold_reason" | "is_old"
>;

/**
 * Explains in a sentence why a view is stale; null if it is fresh. `isHeld`: the object itself is missing from what the
 * cluster shows. Other objects of a source that holds some are as fresh as the last contact.
 */
export function explainStaleness(row: Freshness | undefined, isHeld = false): string | null {
  if (row === undefined) return "The recorder has never reached this cluster.";
  if (isHeld) return `${row.cluster} no longer shows this ${row.kind}; whether it is gone is being checked.`;
  const since = row.last_contact === null ? "" : ` since ${row.last_contact.toISOString()}`;
  const error = row.last_error === null ? "" : ` (${hideAddresses(row.last_error)})`;
  const old = `No updates of ${row.kind}s from ${row.cluster}${since}${error}.`;
  switch (row.state) {
    case "live":
      return null;
    case "stale":
      return old;
    case "syncing":
      return `${row.kind}s of ${row.cluster} are being read.`;
    case "denied":
      return `${row.cluster} refuses to show ${row.kind}s${error}.`;
    case "absent":
      return `${row.cluster} does not know ${row.kind}s: they cannot be observed${since}.`;
    case "suspect":
      if (row.hold_reason === "shrink") return row.is_old ? old : null;
      return `${row.cluster} gives contradictory answers${error}.`;
    case "error":
      return `${row.kind}s of ${row.cluster} cannot be read${error}.`;
  }
}
