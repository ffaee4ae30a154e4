import type { Pool } from "pg";
import { type Barrier, type BarrierMember, type MemberSet, toBarrierMember } from "#lib/domain/acting/barrier.ts";
import { formatObjectRef, type ObjectRef } from "#lib/domain/delivery/object-ref.ts";
import { isInScope } from "#lib/domain/policy/rights.ts";
import { findProvider } from "#lib/domain/providers.ts";
import type { ActingContext } from "#lib/server/acting/permission/acting-context.ts";
import {
  explainOtherCluster,
  explainStaleness,
  sourceOfRollout,
} from "#lib/server/clusters/sources/source-freshness.ts";
import { isWithin } from "#lib/server/people/permission/read-scope.ts";
import { type RowOf, readRows } from "#lib/server/platform/db/run-query.ts";
import { fragment, tables } from "#lib/server/platform/db/tables.ts";
import { toRecorded } from "#lib/server/records/observation-row.ts";
import { isQuarantined, rolloutPlace } from "#lib/server/records/rollout-row.ts";
import { joinNext } from "#lib/util/join-next.ts";

const newestObservation = fragment<{ r: "rollout" }>()
  .selectFrom("observation as o")
  .whereRef("o.rollout_id", "=", "r.id")
  .where("o.provider", "<>", "")
  .orderBy("o.id", "desc")
  .limit(1);

const newestState = newestObservation
  .select(["o.observed_at", "o.resource_version", "o.view_digest", "o.writer", "o.provider", "o.projection"])
  .as("newest");

/** Columns of the observation and of the source are null if there is none. */
const selectMembers = tables
  .selectFrom("rollout as r")
  .leftJoinLateral(newestState, (join) => join.onTrue())
  .leftJoinLateral(sourceOfRollout.as("source"), (join) => join.onTrue())
  .select(["r.id", "r.uid", "r.cluster", "r.namespace", "r.kind", "r.name", "r.images"])
  .select(isQuarantined.as("is_quarantined"))
  .select(["newest.observed_at", "newest.resource_version", "newest.view_digest"])
  .select(["newest.writer", "newest.provider", "newest.projection"])
  .select(["source.id as source_id", "source.state", "source.last_contact", "source.last_error", "source.error_code"])
  .select(["source.hold_reason", "source.is_old", "source.is_held"])
  .where("r.presence", "=", "live")
  .orderBy("r.first_seen_at");

type MemberRow = RowOf<typeof selectMembers>;

/** A member with what an action on it is bound to. `runKey` is empty if it is not known. */
export type RecordedMember = {
  id: string;
  uid: string;
  runKey: string;
  member: BarrierMember;
  viewDigest: string | null;
};

/** Returns whether it may be aborted at all: Flagger has no such action. */
export function offersAbort({ member }: RecordedMember): boolean {
  return findProvider(member.place.kind)?.acting.actions.some((name) => name === "abort") === true;
}

/** Returns the barrier of a place; undefined if it is in no set that passes its pauses together. */
export type BarrierOf = (place: ObjectRef) => Barrier | undefined;

/** Reads the barriers of places in one statement, or in none if no such set has one of them. */
export async function readBarriers(
  { runtime }: { runtime: Pick<ActingContext["runtime"], "config" | "pool"> },
  places: readonly ObjectRef[],
): Promise<BarrierOf> {
  const { sets: all } = runtime.config().config;
  const sets = all.filter((set) => set.together && places.some((place) => isInScope(set, place)));
  if (sets.length === 0) return () => undefined;
  const members = await readTogether({ pool: runtime.pool, all, sets });
  return (place) => {
    const own = sets.filter((set) => isInScope(set, place));
    if (own.length === 0) return undefined;
    const id = formatObjectRef(place);
    const recorded = members.get(id);
    return {
      own: recorded?.member ?? unknownMember(place),
      viewDigest: recorded?.viewDigest ?? undefined,
      sets: own.map((set) => ({
        name: set.name,
        others: [...members]
          .filter(([key, { member }]) => key !== id && isInScope(set, member.place))
          .map(([, { member }]) => member),
      })),
    };
  };
}

type Members = ReadonlyMap<string, RecordedMember>;
/** `waiting`: how many wait for its answer. */
type Reader = { read: ReturnType<typeof joinNext<Members>>; waiting: number };

/** By the config's list of sets, then by the names of those that are read. */
const readers = new WeakMap<readonly MemberSet[], Map<string, Reader>>();

/**
 * Reads the members of some sets of the config, by address. All who ask at the same time, such as for many members that
 * are acted on, share a few reads. Each gets one that began after they asked.
 */
export function readTogether({
  pool,
  all,
  sets,
}: {
  pool: Pool;
  /** The config's own list, of which `sets` are some. */
  all: readonly MemberSet[];
  sets: readonly MemberSet[];
}): Promise<Members> {
  const known = readers.get(all) ?? new Map<string, Reader>();
  readers.set(all, known);
  const key = JSON.stringify(sets.map(({ name }) => name));
  const reader = known.get(key) ?? { read: joinNext<Members>(), waiting: 0 };
  known.set(key, reader);
  reader.waiting += 1;
  return reader
    .read(() => readMembers(pool, sets))
    .finally(() => {
      reader.waiting -= 1;
      if (reader.waiting === 0) known.delete(key);
    });
}

async function readMembers(pool: Pool, sets: readonly MemberSet[]): Promise<Members> {
  const rows = await readRows(
    pool,
    selectMembers.where((eb) => eb.or(sets.map((set) => isWithin(set, rolloutPlace)))),
  );
  // Of a recreated rollout the newest row is the last, and so the one that is kept.
  return new Map(rows.map((row) => [formatObjectRef(row), toMember(row)]));
}

/**
 * Reads the members of sets in which the abort of one is asked for or done: all such, and those that may be under way.
 * Of other sets nothing is read but an index.
 */
export async function readMembersAtAborts(pool: Pool, sets: readonly MemberSet[]): Promise<RecordedMember[]> {
  return (await readRows(pool, selectMembers.where("r.id", "in", selectAtAborts(sets)))).map(toMember);
}

function selectAtAborts(sets: readonly MemberSet[]) {
  // Of a recreated rollout only the newest row counts.
  const members = tables
    .selectFrom("rollout as r")
    .leftJoinLateral(newestObservation.select("o.abort_asked").as("newest"), (join) => join.onTrue())
    .distinctOn(["r.cluster", "r.namespace", "r.kind", "r.name"])
    .select(["r.id", "r.cluster", "r.namespace", "r.kind", "r.name", "r.phase", "newest.abort_asked"])
    .where("r.presence", "=", "live")
    .where((eb) => eb.or(sets.map((set) => isWithin(set, rolloutPlace))))
    .orderBy("r.cluster")
    .orderBy("r.namespace")
    .orderBy("r.kind")
    .orderBy("r.name")
    .orderBy("r.first_seen_at", "desc");
  return (
    tables
      .with("member", () => members)
      .selectFrom("member as r")
      .select("r.id")
      // The version of a healthy rollout is stable.
      .where((eb) => eb.or([eb("r.abort_asked", "=", true), eb("r.phase", "<>", "Healthy")]))
      .where(({ or, and, exists, selectFrom }) =>
        or(
          sets.map((set) => {
            const isOwn = isWithin(set, rolloutPlace);
            const asked = selectFrom("member as r").select("r.id").where("r.abort_asked", "=", true).where(isOwn);
            return and([isOwn, exists(asked)]);
          }),
        ),
      )
  );
}

function unknownMember(place: ObjectRef): BarrierMember {
  return toBarrierMember({ place, state: undefined, images: [], isKnown: false });
}

function toMember(row: MemberRow): RecordedMember {
  const { id, uid, cluster, namespace, kind, name, images, view_digest: viewDigest } = row;
  const place = { cluster, namespace, kind, name };
  const isKnown = !row.is_quarantined && isFresh(row);
  const state = stateOf(row);
  const member = toBarrierMember({ place, state, images, isKnown });
  return { id, uid, runKey: state?.runKey ?? "", member, viewDigest };
}

function isFresh(row: MemberRow): boolean {
  const { cluster, kind, source_id: sourceId, state, is_old, is_held } = row;
  if (sourceId === null || state === null) return false;
  const { last_contact, last_error, error_code, hold_reason } = row;
  const source = { cluster, kind, state, last_contact, last_error, error_code, hold_reason, is_old: is_old ?? true };
  return explainOtherCluster(source) === undefined && explainStaleness(source, is_held ?? true) === null;
}

function stateOf(row: MemberRow): ReturnType<typeof toRecorded>["state"] | undefined {
  const { observed_at, resource_version, provider, projection, writer } = row;
  if (observed_at === null || resource_version === null || provider === null) return undefined;
  try {
    return toRecorded({ observed_at, resource_version, provider, projection, writer }).state;
  } catch {
    // A corrupt row keeps its set at its pauses, and not everybody from acting.
    return undefined;
  }
}
