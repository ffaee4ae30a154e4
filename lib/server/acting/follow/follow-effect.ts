import type { Pool } from "pg";
import type { EffectAssessment, EffectFacts, RunState, StoredEffect } from "#lib/domain/acting/effect.ts";
import type { PlanTarget } from "#lib/domain/acting/plan.ts";
import type { Provider } from "#lib/domain/delivery/provider.ts";
import { compareResourceVersions } from "#lib/domain/kube/resource-version.ts";
import type { Followed, FollowOne } from "#lib/server/acting/follow/due-actions.ts";
import { fetchLive, fetchTarget, readStoredEffect } from "#lib/server/acting/follow/look-live.ts";
import { entryOf, settleWithEntry, traceFollowed } from "#lib/server/acting/follow/settle-action.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { type ActionChange, deferLook, updateAction, watchHours } from "#lib/server/records/action-store.ts";

/**
 * Judges an applied action from the record and, if in doubt, from the cluster itself. Without an effect by its deadline
 * it has "no effect yet" and is watched for a day: it can still take effect, be superseded, or be given up. Returns
 * whether anything changed.
 */
export async function followEffect(one: FollowOne): Promise<boolean> {
  const { pool, row } = one;
  const assessed = await assessFollowed(one);
  switch (assessed.state) {
    case "effective":
      return settleEffective({ pool, row, message: assessed.message });
    case "not-effective":
      return settleSuperseded({ pool, row, message: assessed.message });
    case "silent":
      // The record was judged, or the cluster did not answer: neither is repeated at once.
      if (row.state === "not-effective" && !row.is_over) await deferLook({ client: pool, row });
      return row.is_over ? giveUp({ pool, row, message: assessed.why ?? "The cluster gave no answer." }) : false;
    case "pending":
      return keepWaiting({ pool, row, ...(assessed.message === undefined ? {} : { message: assessed.message }) });
  }
}

type Silent = { state: "silent"; why?: string | undefined };

/** Assesses the effect. `silent`: the record does not tell, and the cluster was not asked or gave no answer. */
async function assessFollowed(one: FollowOne): Promise<EffectAssessment | Silent> {
  const { row } = one;
  const stored = readStoredEffect(row.plan);
  if (stored === undefined) return notRecorded(row);
  const { provider, effect, facts, plan } = stored;
  if (facts.isOnTarget) return assessTarget({ ...one, ...stored });
  // An object from before the action may look as if nothing had ever been pending.
  const isShown = showsPatch({ version: row.recorded_version ?? "", facts, planned: plan.resourceVersion });
  const parsed = provider.parse(row.recorded);
  const recorded = parsed.ok && isShown ? parsed.value.acting.assessEffect(effect) : undefined;
  if (recorded?.state === "effective") return recorded;
  // The record may lag behind the cluster: check the cluster before reporting that nothing happened.
  if (recorded?.state !== "not-effective" && !shouldLook(row)) return recorded ?? { state: "pending" };
  const live = await fetchLive({ ...one, provider });
  if (live.kind === "unread") return { state: "silent", why: live.why };
  if (live.kind === "missing")
    return { state: "not-effective", message: "The rollout was deleted before it took effect." };
  return live.object.acting.assessEffect(effect);
}

function notRecorded({ is_late }: Followed): EffectAssessment {
  return is_late ? { state: "not-effective", message: "The expected effect was not recorded." } : { state: "pending" };
}

function shouldLook({ state, is_late, is_look_due, is_over }: Followed): boolean {
  return state === "applied" ? is_late : is_look_due || is_over;
}

/** Judges a patched run or Experiment as recorded and, if in doubt, as the cluster has it. */
async function assessTarget({
  provider,
  effect,
  facts: { target },
  ...one
}: FollowOne & { provider: Provider; effect: StoredEffect; facts: EffectFacts }): Promise<EffectAssessment | Silent> {
  const { pool, row } = one;
  if (target === undefined) return notRecorded(row);
  const run = await readRecordedRun(pool, row.rollout_id, target);
  const recorded: EffectAssessment = run === undefined ? { state: "pending" } : provider.acting.assessRun(effect, run);
  if (recorded.state === "effective" || !shouldLook(row)) return recorded;
  const look = await fetchTarget({ ...one, provider, target });
  if (look.kind === "unread") return { state: "silent", why: look.why };
  if (look.kind === "missing")
    return { state: "not-effective", message: "It was deleted before its effect was observed." };
  return look.object.assessEffect(effect) ?? { state: "silent" };
}

const stateFields = { phase: true, completedAt: true, resourceVersion: true } as const;

/** Returns undefined if it was not recorded since the action: an older record could show a different end. */
async function readRecordedRun(
  pool: Pool,
  rolloutId: string,
  { kind, uid, resourceVersion }: PlanTarget,
): Promise<RunState | undefined> {
  const prisma = prismaOn(pool);
  const found =
    kind === "Experiment"
      ? await prisma.experiment.findFirst({ where: { uid }, select: stateFields })
      : await prisma.analysisRun.findFirst({ where: { rolloutId, uid }, select: stateFields });
  if (found === null || compareResourceVersions(found.resourceVersion, resourceVersion) !== 1) return undefined;
  const endedAt = found.completedAt?.toISOString().replace(/\.000Z$/, "Z");
  return { uid, phase: found.phase, endedAt };
}

/**
 * Returns whether an object of this version includes our last patch. Without its answer: the patch was made for the
 * planned version.
 */
function showsPatch({
  version,
  facts: { answeredVersion },
  planned,
}: {
  version: string;
  facts: EffectFacts;
  planned: string | undefined;
}): boolean {
  if (answeredVersion === undefined) return compareResourceVersions(version, planned ?? "") === 1;
  const order = compareResourceVersions(version, answeredVersion);
  return order === 0 || order === 1;
}

type Reported = { pool: Pool; row: Followed; message: string };

/** Settles as effective. Before the deadline this needs no audit entry of its own; a later effect gets one. */
async function settleEffective({ pool, row, message }: Reported): Promise<boolean> {
  const change: ActionChange = { state: "effective", message, isEffective: true };
  if (row.state === "applied") {
    const isOurs = await updateAction({ client: pool, id: row.id, change, from: ["applied"] });
    if (isOurs) traceFollowed(row, change);
    return isOurs;
  }
  const afterSeconds = Math.round((Date.now() - row.requested_at.getTime()) / 1000);
  return settleWithEntry({
    pool,
    row,
    entry: { ...entryOf({ row, message, detail: { afterSeconds } }), code: "action.took-effect" },
    changeOf: () => change,
    from: ["not-effective"],
    onlyWatched: true,
  });
}

async function settleSuperseded({ pool, row, message }: Reported): Promise<boolean> {
  return settleWithEntry({
    pool,
    row,
    entry: { ...entryOf({ row, message }), code: "action.superseded" },
    changeOf: () => ({ state: "not-effective", message, why: "superseded" }),
    from: [row.state],
    onlyWatched: row.state === "not-effective",
  });
}

async function giveUp({ pool, row, message }: Reported): Promise<boolean> {
  const reported = `Gave up after ${watchHours} hours. ${message}`;
  return settleWithEntry({
    pool,
    row,
    entry: { ...entryOf({ row, message: reported, detail: { hours: watchHours } }), code: "action.given-up" },
    changeOf: () => ({ state: "not-effective", message: reported, why: "given-up" }),
    from: ["not-effective"],
    onlyWatched: true,
  });
}

/**
 * Stores what the action waits for: past the deadline, that it had no effect yet; after the watch, that it is given up.
 */
async function keepWaiting({
  pool,
  row,
  message = "The controller has not picked it up.",
}: Omit<Reported, "message"> & { message?: string }): Promise<boolean> {
  if (row.state === "not-effective") {
    if (row.is_over) return giveUp({ pool, row, message });
    await deferLook({ client: pool, row });
    if (message === row.message) return false;
    return updateAction({ client: pool, id: row.id, change: { message }, from: ["not-effective"], onlyWatched: true });
  }
  if (!row.is_late) return sayProgress({ pool, row, message });
  return settleWithEntry({
    pool,
    row,
    entry: { ...entryOf({ row, message, detail: { watched: true } }), code: "action.without-effect" },
    changeOf: () => ({ state: "not-effective", message, why: "awaited" }),
    from: ["applied"],
  });
}

/** Stores visible progress. A brief lack of effect is not worth reporting. */
async function sayProgress({ pool, row, message }: Reported): Promise<boolean> {
  if (message === row.message || message === "The controller has not picked it up.") return false;
  return updateAction({ client: pool, id: row.id, change: { message }, from: ["applied"] });
}
