import type { Pool } from "pg";
import { z } from "zod";
import { newlySkippedGates } from "#lib/domain/delivery/observation.ts";
import { explainChanges, type SentAction } from "#lib/domain/oversight/explain-changes.ts";
import type { UnaskedChange } from "#lib/domain/oversight/provider-reports.ts";
import { providerOfKind } from "#lib/domain/providers.ts";
import { type RowOf, readRows, write } from "#lib/server/platform/db/run-query.ts";
import { millisecondsOf, textAt } from "#lib/server/platform/db/sql-functions.ts";
import { type Columns, tables } from "#lib/server/platform/db/tables.ts";
import { StoredPlan } from "#lib/server/records/action-store.ts";
import { type RecordedObservation, toRecorded } from "#lib/server/records/observation-row.ts";
import { type Attributing, appendUnasked, gateAction, type WrittenChange } from "./append-unasked.ts";

const pageSize = 500;
const keptExplanations = 50;
/** How many observations back the write of a template is searched. */
const trailLength = 30;

/** `at` in milliseconds since 1970. */
type Observed = RecordedObservation & { id: string; at: number };
type Row = RowOf<typeof selectObservations>;

/** The place at which the search for new observations resumes: all ids below it were seen. Kept only in the process. */
export type ReviewPlace = { seen: bigint };

/**
 * Reviews the observations since the last pass, and writes an audit entry of source `cluster` for each change that a
 * person made to a rollout without Gatehouse. Each change is written once, regardless of interruptions. Resolves with
 * their number.
 */
export async function reviewObservations({
  pool,
  place,
  attributing,
  maxRollouts = 200,
  onError,
}: {
  pool: Pool;
  place: ReviewPlace;
  /** Absent: no person is named. */
  attributing?: Attributing | undefined;
  maxRollouts?: number;
  onError: (error: unknown, rolloutId: string) => void;
}): Promise<{ found: number }> {
  // Ids are assigned before commits: a later search begins well before the last id seen.
  const from = place.seen > BigInt(overlap) ? place.seen - BigInt(overlap) : 0n;
  const rows = await readRows(pool, selectDue(from).limit(maxRollouts));
  let found = 0;
  let failed = false;
  for (const due of rows) {
    try {
      found += await reviewRollout(pool, due, attributing);
    } catch (error) {
      failed = true;
      onError(error, due.rollout_id);
    }
  }
  // Only reviewed observations advance the place.
  const newest = rows.at(-1)?.newest;
  if (!failed && newest !== undefined && BigInt(newest) > place.seen) place.seen = BigInt(newest);
  return { found };
}

const overlap = 20_000;

/** Selects rollouts with observations after this id that were not reviewed; `reviewed` is null for a new rollout. */
function selectDue(from: bigint) {
  return tables
    .selectFrom(({ selectFrom }) =>
      selectFrom("observation")
        .select(({ fn }) => ["rollout_id", fn.max("id").as("newest")])
        .where("id", ">", from.toString())
        .groupBy("rollout_id")
        .as("o"),
    )
    .innerJoin("rollout as r", "r.id", "o.rollout_id")
    .leftJoin("rollout_review as v", "v.rollout_id", "o.rollout_id")
    .select(["o.rollout_id", "o.newest", "r.cluster", "r.namespace", "r.kind", "r.name", "r.uid"])
    .select(["v.observation_id as reviewed", "v.explained"])
    .where((eb) => eb.or([eb("v.observation_id", "is", null), eb("v.observation_id", "<", eb.ref("o.newest"))]))
    .orderBy("o.newest");
}

type Due = RowOf<ReturnType<typeof selectDue>>;

async function reviewRollout(pool: Pool, due: Due, attributing: Attributing | undefined): Promise<number> {
  const provider = providerOfKind(due.kind);
  const observed = await readObservations(pool, due);
  const [first] = observed;
  if (first === undefined) return 0;
  const { former, trail } = await readFormerHashes(pool, { due, observed });
  const actions = await readSentActions(pool, due.rollout_id);
  let explained = z.array(z.string()).catch([]).parse(due.explained);
  let found = 0;
  let previous = first;
  for (const next of observed.slice(1)) {
    trail.push(next);
    const changes = provider.findChanges({ items: trail, former });
    const { runKey, revision } = next.state;
    if (runKey !== "" && runKey !== previous.state.runKey) former.set(runKey, revision);
    for (const { written, ...change } of changes) {
      const result = explainChanges({
        changes: [change],
        observedAt: written?.at ?? next.at,
        previousAt: written?.previousAt ?? previous.at,
        actions,
        explained,
      });
      explained = result.explained;
      for (const unasked of result.unasked)
        if (await writeChange({ ...{ pool, due, previous, next, attributing, trail, written }, change: unasked }))
          found += 1;
    }
    if (await writeSkippedGates({ pool, due, previous, next, attributing })) found += 1;
    previous = next;
  }
  const kept = JSON.stringify(explained.slice(-keptExplanations));
  await write(
    pool,
    tables
      .insertInto("rollout_review")
      .values({ rollout_id: due.rollout_id, observation_id: previous.id, explained: kept })
      .onConflict((conflict) =>
        conflict.column("rollout_id").doUpdateSet(
          ({ fn, ref, val }) =>
            ({
              observation_id: fn<string>("greatest", [ref("rollout_review.observation_id"), val(previous.id)]),
              explained: kept,
            }) satisfies Columns<"rollout_review">,
        ),
      ),
  );
  return found;
}

/**
 * Reads from the last reviewed observation, which the next one is compared with; a new rollout's first one is only a
 * start.
 */
async function readObservations(pool: Pool, due: Due): Promise<Observed[]> {
  const rows = await readRows(
    pool,
    selectObservations
      .where("rollout_id", "=", due.rollout_id)
      .where("id", ">=", due.reviewed ?? "0")
      .orderBy("id")
      .limit(pageSize),
  );
  return rows.map(toObserved);
}

const selectObservations = tables
  .selectFrom("observation")
  .select(["id", "observed_at", "resource_version", "writer", "provider", "projection"])
  .select(({ ref }) => millisecondsOf(ref("observed_at")).as("at"))
  .where("provider", "<>", "");

function toObserved({ id, at, ...row }: Row): Observed {
  return { ...toRecorded(row), id, at };
}

type Former = { former: Map<string, number | null>; trail: Observed[] };

/**
 * Reads the pod hashes that were wanted up to the first of these, each with its newest revision, and the observations
 * before it. Queried only if one of these changes the hash.
 */
async function readFormerHashes(
  pool: Pool,
  { due, observed }: { due: Due; observed: readonly Observed[] },
): Promise<Former> {
  const [first] = observed;
  if (first === undefined) return { former: new Map(), trail: [] };
  const { runKey, revision } = first.state;
  if (observed.every(({ state }) => state.runKey === runKey))
    return { former: new Map([[runKey, revision]]), trail: [first] };
  // Right after a change of the template the new number appears with the old hash: the first row of a hash has its own
  // number.
  const rows = await readRows(
    pool,
    tables
      .selectFrom(({ selectFrom }) =>
        selectFrom("observation")
          .select(["id", "run_key as hash", "revision"])
          .select(({ fn }) =>
            fn
              .agg<string | null>("lag", ["run_key"])
              .over((over) => over.orderBy("id"))
              .as("before"),
          )
          .where("rollout_id", "=", due.rollout_id)
          .where("id", "<=", first.id)
          .as("o"),
      )
      .distinctOn("o.hash")
      .select(["o.hash", "o.revision"])
      .where("o.hash", "<>", "")
      .whereRef("o.hash", "is distinct from", "o.before")
      .orderBy("o.hash")
      .orderBy("o.id", "desc"),
  );
  const trail = await readRows(
    pool,
    selectObservations
      .where("rollout_id", "=", due.rollout_id)
      .where("id", "<=", first.id)
      .orderBy("id", "desc")
      .limit(trailLength),
  );
  return {
    former: new Map(rows.map((row) => [row.hash, row.revision])),
    trail: trail.toReversed().map(toObserved),
  };
}

async function readSentActions(pool: Pool, rolloutId: string): Promise<SentAction[]> {
  const rows = await readRows(
    pool,
    tables
      .selectFrom("action")
      .select(["id", "action", "plan"])
      .select((eb) => [
        millisecondsOf(eb.ref("requested_at")).as("requestedAt"),
        millisecondsOf(eb.ref("effective_at")).as("effectiveAt"),
        eb("state", "in", ["requested", "applied", "unknown"]).as("open"),
        eb("watch_until", "is not", null).as("watched"),
      ])
      .where("rollout_id", "=", rolloutId)
      .where("intent_seq", "is not", null)
      .where("state", "<>", "refused")
      .where(({ eb, ref }) => eb(textAt(ref("params"), "subject"), "is", null))
      .orderBy("requested_at", "desc")
      .limit(200),
  );
  return rows.toReversed().map(({ plan, open, watched, ...row }) => ({
    ...row,
    unpauses: (StoredPlan.safeParse(plan).data?.patches ?? []).some(({ body }) => liftsPause(body)),
    isOpen: Boolean(open),
    isWatched: Boolean(watched),
  }));
}

const Lifting = z.object({ spec: z.object({ paused: z.literal(false) }) });

function liftsPause(body: unknown): boolean {
  return Lifting.safeParse(body).success;
}

type Pair = { pool: Pool; due: Due; previous: Observed; next: Observed; attributing: Attributing | undefined };

/** Returns false if the entry already existed. */
async function writeChange({
  pool,
  due,
  previous,
  next,
  attributing,
  trail,
  written,
  change: { skipped, backTo, ...change },
}: Pair & {
  change: UnaskedChange;
  trail: readonly Observed[];
  written: UnaskedChange["written"];
}): Promise<boolean> {
  const { stableKey, runKey, step, stepCount, weight } = previous.state;
  // The place of the update at that time, as with our own actions; empty if none was in progress.
  const isUnderWay = stableKey !== runKey;
  return appendUnasked({
    pool,
    attributing,
    change: {
      ...change,
      written: toWritten({ due, previous, next, trail, written }),
      rolloutId: due.rollout_id,
      target: due,
      observationId: next.id,
      at: new Date(next.at),
      detail: {
        ...(isUnderWay && {
          step: step ?? undefined,
          stepCount,
          weight: weight === null ? undefined : Math.round(weight),
        }),
        ...(skipped !== undefined && { skipped }),
        ...(backTo !== undefined && { params: { toRevision: backTo.revision }, images: backTo.images }),
        podHash: next.state.runKey,
      },
      requestId: `observation-${next.id}`,
    },
  });
}

/** Finds when it was written, and between which versions: as it was observed, or earlier if it took effect late. */
function toWritten({
  due,
  previous,
  next,
  trail,
  written,
}: Pick<Pair, "due" | "previous" | "next"> & {
  trail: readonly Observed[];
  written: UnaskedChange["written"];
}): WrittenChange {
  const { cluster, namespace, kind, name } = due;
  const made = written === undefined ? next : trail.find(({ at }) => at === written.at);
  const before = written === undefined ? previous : trail.find(({ at }) => at === written.previousAt);
  return {
    object: { cluster, namespace, kind, name },
    uid: due.uid,
    from: written?.previousAt ?? previous.at,
    to: written?.at ?? next.at,
    versionBefore: before?.resourceVersion ?? null,
    versionAfter: made?.resourceVersion ?? null,
  };
}

/**
 * Writes gates that the controller skipped without a request. No person did this, so it has a separate kind of entry.
 */
async function writeSkippedGates({ pool, due, previous, next, attributing }: Pair): Promise<boolean> {
  const gates = newlySkippedGates(previous.state, next.state);
  if (gates.length === 0) return false;
  const { runKey, stepCount } = next.state;
  return appendUnasked({
    pool,
    attributing,
    change: {
      action: gateAction,
      code: "gate.skipped",
      actor: providerOfKind(due.kind).controllerName,
      client: null,
      rolloutId: due.rollout_id,
      target: due,
      observationId: next.id,
      at: new Date(next.at),
      detail: {
        steps: gates.map(({ step }) => step + 1),
        stepCount,
        run: gates[0]?.run ?? null,
        podHash: runKey,
      },
      requestId: `observation-${next.id}`,
    },
  });
}
