import { findEntry } from "#lib/domain/acting/action-catalogue.ts";
import type { Attention } from "#lib/domain/delivery/detail.ts";
import { nothingRelated } from "#lib/domain/delivery/related-state.ts";
import { openReleases } from "#lib/domain/oversight/evaluate-rollout.ts";
import type { OversightLimits } from "#lib/domain/oversight/limits.ts";
import type { Trouble } from "#lib/domain/oversight/provider-reports.ts";
import type {
  FactAct,
  FactAction,
  FactHold,
  FactObservation,
  FactRelease,
  RolloutFacts,
} from "#lib/domain/oversight/rollout-facts.ts";
import { providerOfKind } from "#lib/domain/providers.ts";
import {
  readControllerVersion,
  readNewestWeights,
  readRelatedState,
} from "#lib/server/clusters/sources/read-related-state.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { type Connection, type RowOf, readRow, readRows } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import { toRecorded } from "#lib/server/records/observation-row.ts";
import { acknowledgementInForce } from "#lib/server/records/wait-mark.ts";
import { readFactExperiments, readFactRuns } from "./read-fact-runs.ts";

/** How much of a rollout's past the rules look at. */
export type Depth = { releases: number; observations: number; runs: number };

/** For the releases that may still change: the newest, and those that it replaced. */
export const recentDepth: Depth = { releases: openReleases, observations: 3000, runs: 200 };
/** For rollouts to which the rules are new. */
export const fullDepth: Depth = { releases: 50, observations: 20_000, runs: 1000 };

/** An acknowledged wait no longer needs a person. Times are compared, so that another wait of the same kind counts. */
const selectRollouts = tables
  .selectFrom("rollout as r")
  .select(["r.id", "r.cluster", "r.namespace", "r.kind", "r.name", "r.presence", "r.workloads", "r.object"])
  .select(["r.attention_reason", "r.attention_since", "r.attention_severity", "r.weight_actual"])
  .select(({ exists, lit }) => exists(acknowledgementInForce.select(lit(1).as("one"))).as("is_acknowledged"));
export type OverseenRollout = RowOf<typeof selectRollouts>;

export async function readOverseenRollout(connection: Connection, id: string): Promise<OverseenRollout | undefined> {
  return readRow(connection, selectRollouts.where("r.id", "=", id));
}

/** An older weight of the route may be out of date. */
const weightSeconds = 180;

/** Reads all facts for the rules: a bounded number of rows, however long the history is. */
export async function readRolloutFacts(
  connection: Connection,
  { rollout, limits, depth, now }: { rollout: OverseenRollout; limits: OversightLimits; depth: Depth; now: Date },
): Promise<RolloutFacts> {
  const { id, kind } = rollout;
  const releases = await readReleases(connection, id, depth.releases);
  const from = releases[0]?.startedAt ?? new Date(0).toISOString();
  const route = (await readNewestWeights(connection, { ids: [id], what: "route", withinSeconds: weightSeconds })).get(
    id,
  );
  return {
    now: now.toISOString(),
    limits,
    controllerName: providerOfKind(kind).controllerName,
    controllerVersion: await readControllerVersion(connection, rollout),
    wait: waitOf(rollout),
    weight: route?.value ?? rollout.weight_actual,
    weightFrom: route === undefined ? "status" : "route",
    weightAt: route?.at ?? null,
    troubles: await readTroubles(connection, rollout),
    observations: await readFactObservations(connection, { rollout, from, limit: depth.observations }),
    releases,
    runs: await readFactRuns(connection, { rolloutId: id, from, limit: depth.runs }),
    experiments: await readFactExperiments(connection, { rolloutId: id, from }),
    actions: await readFactActions(connection, { rolloutId: id, from }),
    acts: await readFactActs(connection, { rolloutId: id, from }),
    holds: await readFactHolds(connection, { rolloutId: id, from }),
  };
}

function waitOf(row: OverseenRollout): Attention | undefined {
  const { attention_reason: reason, attention_since: since, attention_severity: severity } = row;
  if (reason === null || since === null || row.is_acknowledged || row.presence !== "live") return undefined;
  return { reason, since: since.toISOString(), severity: severity ?? "warning" };
}

async function readReleases(connection: Connection, rolloutId: string, limit: number): Promise<FactRelease[]> {
  const rows = await prismaOn(connection).release.findMany({
    where: { rolloutId },
    orderBy: [{ startedAt: "desc" }, { attempt: "desc" }],
    take: limit,
    select: {
      runKey: true,
      attempt: true,
      revision: true,
      state: true,
      images: true,
      startedAt: true,
      endedAt: true,
    },
  });
  return rows.toReversed().map(({ startedAt, endedAt, ...row }) => ({
    ...row,
    startedAt: startedAt.toISOString(),
    endedAt: endedAt?.toISOString() ?? null,
  }));
}

/** Lists the current troubles by the provider; empty if the recorded object cannot be parsed. */
async function readTroubles(connection: Connection, rollout: OverseenRollout): Promise<Trouble[]> {
  const parsed = providerOfKind(rollout.kind).parse(rollout.object);
  if (!parsed.ok || parsed.value.listTroubles === undefined || rollout.presence !== "live") return [];
  const related = await readRelatedState(connection, [{ ...rollout, workloads: parsed.value.workloads }]);
  return parsed.value.listTroubles(related.get(rollout.id) ?? nothingRelated);
}

async function readFactActions(
  connection: Connection,
  { rolloutId, from }: { rolloutId: string; from: string },
): Promise<FactAction[]> {
  const rows = await prismaOn(connection).action.findMany({
    where: { rolloutId, intentSeq: { not: null }, requestedAt: { gte: from } },
    orderBy: { requestedAt: "desc" },
    take: 50,
    select: {
      id: true,
      action: true,
      state: true,
      effectWhy: true,
      requestedAt: true,
      actorName: true,
      intentSeq: true,
      outcomeSeq: true,
    },
  });
  return rows.toReversed().map(({ requestedAt, actorName, intentSeq, outcomeSeq, ...row }) => ({
    ...row,
    label: findEntry(row.action)?.label ?? row.action,
    requestedAt: requestedAt.toISOString(),
    actor: actorName,
    auditSeq: (outcomeSeq ?? intentSeq)?.toString() ?? null,
  }));
}

async function readFactHolds(
  connection: Connection,
  { rolloutId, from }: { rolloutId: string; from: string },
): Promise<FactHold[]> {
  const rows = await prismaOn(connection).hold.findMany({
    where: { rolloutId, wantedAt: { gte: from } },
    orderBy: { wantedAt: "asc" },
    take: 100,
    select: { runKey: true, step: true, runName: true, wantedAt: true, outcome: true, message: true },
  });
  return rows.map(({ runName, wantedAt, ...row }) => ({ ...row, run: runName, at: wantedAt.toISOString() }));
}

async function readFactActs(
  connection: Connection,
  { rolloutId, from }: { rolloutId: string; from: string },
): Promise<FactAct[]> {
  const rows = await prismaOn(connection).unaskedChange.findMany({
    where: { rolloutId, subjectUid: "", at: { gte: from } },
    orderBy: { at: "desc" },
    take: 100,
    select: { action: true, client: true, at: true, auditSeq: true },
  });
  return rows.toReversed().map(({ action, client, at, auditSeq }) => ({
    action: action as FactAct["action"],
    client,
    at: at.toISOString(),
    auditSeq: auditSeq.toString(),
  }));
}

/** How many observations back the write of a template is searched; see review-observations.ts. */
const trailLength = 30;

/**
 * Reads a rollout's observations since a time, and the one before, oldest first; if there are more than `limit`, the
 * newest. Each lists the changes since the one before that the controller did not make.
 */
async function readFactObservations(
  connection: Connection,
  { rollout, from, limit }: { rollout: { id: string; kind: string }; from: string; limit: number },
): Promise<FactObservation[]> {
  const rows = await readRows(
    connection,
    tables
      .selectFrom("observation")
      .select(["id", "observed_at", "resource_version", "writer", "provider", "projection"])
      .where("rollout_id", "=", rollout.id)
      .where("provider", "<>", "")
      .where(({ eb, ref, fn, selectFrom, val }) =>
        eb(
          ref("id"),
          ">=",
          fn.coalesce(
            selectFrom("observation as b")
              .select(({ fn }) => fn.max("b.id").as("id"))
              .where("b.rollout_id", "=", rollout.id)
              .where("b.observed_at", "<", new Date(from)),
            val("0"),
          ),
        ),
      )
      .orderBy("id", "desc")
      .limit(limit),
  );
  const provider = providerOfKind(rollout.kind);
  const observed = rows.toReversed().map((row) => ({ ...toRecorded(row), at: row.observed_at.getTime() }));
  const former = new Map<string, number | null>();
  return observed.map((next, index) => {
    const items = observed.slice(Math.max(0, index - trailLength), index + 1);
    const changes = items.length < 2 ? [] : provider.findChanges({ items, former });
    const { runKey, revision } = next.state;
    if (runKey !== "" && runKey !== observed[index - 1]?.state.runKey) former.set(runKey, revision);
    const { observedAt, resourceVersion, client, state } = next;
    return { observedAt, resourceVersion, client, state, changes };
  });
}
