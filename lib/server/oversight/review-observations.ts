import type { Pool } from "pg";
import { z } from "zod";
import type { RolloutProjection } from "#lib/domain/delivery/rollout-projection.ts";
import { explainChanges, type SentAction } from "#lib/domain/oversight/explain-changes.ts";
import { findUnaskedChanges, type UnaskedChange, wantedTemplate } from "#lib/domain/oversight/find-unasked-changes.ts";
import { StoredPlan } from "#lib/server/acting/action-store.ts";
import { appendUnasked } from "./append-unasked.ts";

const pageSize = 500;
const keptExplanations = 50;

type Due = {
  rollout_id: string;
  /** Up to here it was looked through; null for a rollout that is new. */
  reviewed: string | null;
  explained: unknown;
  cluster: string;
  namespace: string;
  kind: string;
  name: string;
};

type Observed = {
  id: string;
  at: number;
  writer: string | null;
  projection: RolloutProjection;
};

/** Where the look for new observations goes on: an id below which everything was seen. Lives in the process. */
export type ReviewPlace = { seen: bigint };

/**
 * Looks through the observations that are new since the last pass, and writes an audit entry of source `cluster` for
 * what somebody did to a rollout without Gatehouse. Each change is written once, whatever stops in between; resolves
 * with how many were.
 */
export async function reviewObservations({
  pool,
  place,
  maxRollouts = 200,
  onError,
}: {
  pool: Pool;
  place: ReviewPlace;
  maxRollouts?: number;
  onError: (error: unknown, rolloutId: string) => void;
}): Promise<{ found: number }> {
  // Ids are given out before commits: a later look begins well before what was seen.
  const from = place.seen > BigInt(overlap) ? place.seen - BigInt(overlap) : 0n;
  const { rows } = await pool.query<Due & { newest: string }>(
    `SELECT o.rollout_id, o.newest::text, v.observation_id::text AS reviewed, COALESCE(v.explained, '[]') AS explained,
       r.cluster, r.namespace, r.kind, r.name
     FROM (SELECT rollout_id, max(id) AS newest FROM observation WHERE id > $1 GROUP BY rollout_id) o
     JOIN rollout r ON r.id = o.rollout_id LEFT JOIN observation_review v ON v.rollout_id = o.rollout_id
     WHERE v.observation_id IS NULL OR v.observation_id < o.newest
     ORDER BY o.newest LIMIT $2`,
    [from.toString(), maxRollouts],
  );
  let found = 0;
  let failed = false;
  for (const due of rows) {
    try {
      found += await reviewRollout(pool, due);
    } catch (error) {
      failed = true;
      onError(error, due.rollout_id);
    }
  }
  // Only what was looked through moves the place on.
  const newest = rows.at(-1)?.newest;
  if (!failed && newest !== undefined && BigInt(newest) > place.seen) place.seen = BigInt(newest);
  return { found };
}

const overlap = 20_000;

async function reviewRollout(pool: Pool, due: Due): Promise<number> {
  const observed = await readObservations(pool, due);
  const [first] = observed;
  if (first === undefined) return 0;
  const former = await readFormerTemplates(pool, { due, observed });
  const actions = await readSentActions(pool, due.rollout_id);
  let explained = z.array(z.string()).catch([]).parse(due.explained);
  let found = 0;
  let previous = first;
  for (const next of observed.slice(1)) {
    const changes = findUnaskedChanges({
      previous: previous.projection,
      next: next.projection,
      writer: next.writer,
      isFormerTemplate: (template) => former.has(template),
    });
    const left = wantedTemplate(previous.projection);
    if (left !== null) former.add(left);
    const result = explainChanges({ changes, observedAt: next.at, previousAt: previous.at, actions, explained });
    explained = result.explained;
    for (const change of result.unasked) if (await writeChange({ pool, due, previous, next, change })) found += 1;
    previous = next;
  }
  await pool.query(
    `INSERT INTO observation_review (rollout_id, observation_id, explained) VALUES ($1, $2, $3)
     ON CONFLICT (rollout_id) DO UPDATE SET observation_id = GREATEST(observation_review.observation_id, EXCLUDED.observation_id),
       explained = EXCLUDED.explained`,
    [due.rollout_id, previous.id, JSON.stringify(explained.slice(-keptExplanations))],
  );
  return found;
}

/** From the one that was looked at last, with which the next is compared; a new rollout's first one only begins. */
async function readObservations(pool: Pool, due: Due): Promise<Observed[]> {
  const { rows } = await pool.query<Observed & { at: string }>(
    `SELECT id::text, extract(epoch FROM observed_at) * 1000 AS at, writer, projection FROM observation
     WHERE rollout_id = $1 AND id >= $2 AND projection ? 'view' ORDER BY observation.id LIMIT ${pageSize}`,
    [due.rollout_id, due.reviewed ?? "0"],
  );
  return rows.map((row) => ({ ...row, at: Number(row.at) }));
}

/** The templates that were wanted before the first of these, asked for only where one of them changes the template. */
async function readFormerTemplates(
  pool: Pool,
  { due, observed }: { due: Due; observed: readonly Observed[] },
): Promise<Set<string>> {
  const [first] = observed;
  if (first === undefined) return new Set();
  const wanted = wantedTemplate(first.projection);
  if (observed.every(({ projection }) => wantedTemplate(projection) === wanted)) return new Set();
  // As wantedTemplate has it.
  const { rows } = await pool.query<{ template: string }>(
    `SELECT DISTINCT COALESCE(projection ->> 'template', NULLIF(projection ->> 'currentPodHash', '')) AS template
     FROM observation WHERE rollout_id = $1 AND id < $2`,
    [due.rollout_id, first.id],
  );
  return new Set(rows.map(({ template }) => template));
}

type Sent = {
  id: string;
  action: string;
  at: string;
  effective: string | null;
  plan: unknown;
  open: boolean;
  watched: boolean;
};

async function readSentActions(pool: Pool, rolloutId: string): Promise<SentAction[]> {
  const { rows } = await pool.query<Sent>(
    `SELECT id, action, extract(epoch FROM requested_at) * 1000 AS at, extract(epoch FROM effective_at) * 1000 AS effective,
       plan, state IN ('requested', 'applied', 'unknown') AS open, watch_until IS NOT NULL AS watched
     FROM action
     WHERE rollout_id = $1 AND intent_seq IS NOT NULL AND state <> 'refused' AND params -> 'subject' IS NULL ORDER BY requested_at DESC LIMIT 200`,
    [rolloutId],
  );
  return rows.toReversed().map(({ id, action, at, effective, plan, open, watched }) => ({
    id,
    action,
    requestedAt: Number(at),
    unpauses: (StoredPlan.safeParse(plan).data?.patches ?? []).some(({ body }) => liftsPause(body)),
    effectiveAt: effective === null ? null : Number(effective),
    isOpen: open,
    isWatched: watched,
  }));
}

const Lifting = z.object({ spec: z.object({ paused: z.literal(false) }) });

function liftsPause(body: unknown): boolean {
  return Lifting.safeParse(body).success;
}

/** False where it was written before. */
async function writeChange({
  pool,
  due,
  previous,
  next,
  change,
}: {
  pool: Pool;
  due: Due;
  previous: Observed;
  next: Observed;
  change: UnaskedChange;
}): Promise<boolean> {
  const { view, stableRS, currentPodHash } = previous.projection;
  // Where the update stood when it was done, as with actions of ours; nothing where none was under way.
  const isUnderWay = stableRS !== currentPodHash;
  return appendUnasked({
    pool,
    change: {
      ...change,
      rolloutId: due.rollout_id,
      target: due,
      observationId: next.id,
      at: new Date(next.at),
      detail: {
        ...(isUnderWay && {
          step: view.step ?? undefined,
          stepCount: view.stepCount,
          weight: view.weight === null ? undefined : Math.round(view.weight),
        }),
        podHash: next.projection.currentPodHash,
      },
      requestId: `observation-${next.id}`,
    },
  });
}
