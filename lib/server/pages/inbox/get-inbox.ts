import { z } from "zod";
import type { ListPage } from "#lib/contract/common.ts";
import type { InboxItem, InboxQuery } from "#lib/contract/inbox.ts";
import { backActions, entryOf, type RolloutActionName, rolloutActions } from "#lib/domain/acting/action-catalogue.ts";
import type { SkippedGate } from "#lib/domain/delivery/observation.ts";
import { nothingRelated } from "#lib/domain/delivery/related-state.ts";
import { findRule } from "#lib/domain/oversight/rule-catalogue.ts";
import { providerOfKind } from "#lib/domain/providers.ts";
import { judgeRecorded, selectJudged } from "#lib/server/acting/permission/judge-recorded.ts";
import { readBarriers } from "#lib/server/acting/permission/read-barriers.ts";
import { readRelatedState, readReplicaSets } from "#lib/server/clusters/sources/read-related-state.ts";
import { readSources } from "#lib/server/clusters/sources/source-freshness.ts";
import { mayAcknowledge } from "#lib/server/oversight/findings/acknowledge.ts";
import { answer, isAnswered } from "#lib/server/pages/inbox/inbox-answer.ts";
import { readInboxEvidence, readWorstFindings, type WorstFinding } from "#lib/server/pages/inbox/inbox-evidence.ts";
import { formatInboxSentence } from "#lib/server/pages/inbox/inbox-sentence.ts";
import { claim, isSnoozed, serializeHandling, snoozed } from "#lib/server/pages/inbox/wait-handling.ts";
import { waitRank } from "#lib/server/pages/inbox/wait-rank.ts";
import { linksOfRollout, readCurrentReleases } from "#lib/server/pages/links/list-links.ts";
import { listOwnership } from "#lib/server/pages/ownership.ts";
import { isReadable } from "#lib/server/people/permission/read-scope.ts";
import { allOf, given } from "#lib/server/platform/db/conditions.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { readRows } from "#lib/server/platform/db/run-query.ts";
import { fragment, tables, wantedIds } from "#lib/server/platform/db/tables.ts";
import type { Runtime } from "#lib/server/process/runtime-types.ts";
import type { Call } from "#lib/server/process/service-context.ts";
import { asTime, DatabaseInt, DatabaseTime, pageOf, parseListCursor } from "#lib/server/records/list-cursor.ts";
import { readRecorded } from "#lib/server/records/observation-row.ts";
import { rolloutPlace, serializeRollout } from "#lib/server/records/rollout-row.ts";

const { ref } = fragment<{ r: "rollout" }>();

const selectInbox = selectJudged
  .select(({ cast }) => [
    answer.as("answer"),
    claim.as("claim"),
    snoozed.as("snooze"),
    waitRank.as("rank"),
    cast<string>("r.attention_since", "text").as("since_key"),
  ])
  .where("r.presence", "=", "live")
  .where("r.attention_reason", "is not", null)
  .where("r.attention_since", "is not", null)
  .orderBy(waitRank)
  .orderBy("r.attention_since")
  .orderBy("r.id");

const Key = z.tuple([DatabaseInt, DatabaseTime, z.uuid()]);

/** The actions that answer a wait, and those that go back. The others are on the rollout's page, with more context. */
const answers: readonly RolloutActionName[] = rolloutActions.filter(
  (name) => entryOf(name).answers !== undefined || backActions.includes(name),
);

/** A finding about a run is not answered by the controller's own actions: what helps is the version before. */
const answersToFinding: readonly RolloutActionName[] = [...answers, "undo"];

/** Returns everything that waits for a person, ranked, with measurements and allowed actions. */
export async function getInbox({ ctx, input }: Call<InboxQuery>): Promise<ListPage<InboxItem>> {
  const { runtime } = ctx;
  const after = parseListCursor(Key, input.cursor);
  const query = selectInbox
    .where((eb) =>
      allOf([
        input.answered === "true" ? isAnswered : eb.not(isAnswered),
        isReadable(ctx.actor.rights, rolloutPlace),
        given(input.snoozed, (wanted) => (wanted === "true" ? isSnoozed : eb.not(isSnoozed))),
        given(input.cluster, (cluster) => eb("r.cluster", "=", cluster)),
        ...listOwnership(ctx, input),
        given(input.attention, (reason) => eb("r.attention_reason", "=", reason)),
        given(after, ([atRank, since, id]) =>
          eb(eb.tuple(waitRank, ref("r.attention_since"), ref("r.id")), ">", eb.tuple(atRank, asTime(since), id)),
        ),
      ]),
    )
    .limit(input.limit + 1);
  const rows = await readRows(runtime.pool, query);
  const kept = rows.slice(0, input.limit);
  const now = runtime.now();
  const parsed = kept.flatMap((row) => {
    const rollout = providerOfKind(row.kind).parse(row.object);
    return rollout.ok ? [{ ...row, workloads: rollout.value.workloads, rollout: rollout.value }] : [];
  });
  const rollouts = new Map(parsed.map(({ id, rollout }) => [id, rollout]));
  const ids = kept.map(({ id }) => id);
  const withFinding = parsed.filter((row) => row.attention_reason === "finding").map(({ id }) => id);
  const [sources, barrierOf, evidence, skipped, besides, replicaSets, releases, findings] = await Promise.all([
    readSources(runtime),
    readBarriers(ctx, kept),
    readInboxEvidence(
      runtime,
      kept.map((row) => ({ ...row, runNames: rollouts.get(row.id)?.runNames ?? [] })),
    ),
    readSkippedGates(runtime, kept),
    readRelatedState(runtime.pool, parsed),
    readPromotedSets(runtime.pool, withFinding),
    readCurrentReleases(runtime, ids),
    readWorstFindings(runtime, ids),
  ]);
  return pageOf({
    rows,
    limit: input.limit,
    keyOf: (row) => [row.rank, row.since_key, row.id],
    toItem: (row): InboxItem => {
      const { items: own, again } = evidence.get(row.id) ?? { items: [], again: null };
      const rollout = rollouts.get(row.id);
      const related = { ...(besides.get(row.id) ?? nothingRelated), replicaSets: replicaSets.get(row.id) };
      const detail = rollout?.describe(related);
      const finding = findings.get(row.id);
      return {
        rollout: serializeRollout(row, runtime),
        answer: row.answer,
        mayAcknowledge: mayAcknowledge(ctx.actor.rights, row),
        sentence: formatInboxSentence({
          row,
          evidence: own,
          skippedGates: skipped.get(row.id) ?? [],
          finding,
        }),
        finding: finding === undefined ? null : serializeFinding(finding),
        ownAct: rollout?.findOwnAct?.(related) ?? null,
        follows: detail?.follows?.text ?? null,
        // A row offers the answers to its state: an action that the state itself rules out would only be noise.
        actions: judgeRecorded({
          ...{ ctx, row, rollout, related, sources, barrierOf, now },
          among: row.attention_reason === "finding" && finding?.runUid ? answersToFinding : answers,
        }).filter(({ effect }) => effect !== undefined),
        evidence: own,
        measuringAgain: again,
        handling: serializeHandling(ctx, row),
        links: linksOfRollout(runtime, row, {
          metadata: rollout?.metadata,
          stableHash: detail?.stableRevisionKey,
          release: releases.get(row.id),
        }),
      };
    },
  });
}

function serializeFinding({ id, rule, title }: WorstFinding): InboxItem["finding"] {
  return { id, rule, badge: findRule(rule)?.badge ?? null, title };
}

/**
 * Reads the ReplicaSets that the cluster still has of versions that were promoted, by rollout. A row names the version
 * to go back to before anybody has looked at it, so none that was aborted last.
 */
async function readPromotedSets(pool: Runtime["pool"], rolloutIds: readonly string[]): Promise<RevisionSets> {
  const sets = await readReplicaSets(pool, rolloutIds);
  const keys = [...sets.values()].flat().flatMap(({ podHash }) => podHash ?? []);
  if (keys.length === 0) return sets;
  const releases = await prismaOn(pool).release.findMany({
    where: { rolloutId: { in: [...rolloutIds] }, runKey: { in: keys } },
    orderBy: [{ startedAt: "asc" }, { id: "asc" }],
    select: { rolloutId: true, runKey: true, state: true },
  });
  // The newest of a version decides.
  const states = new Map(releases.map(({ rolloutId, runKey, state }) => [`${rolloutId} ${runKey}`, state]));
  return new Map(
    [...sets].map(([id, own]) => [id, own.filter(({ podHash }) => states.get(`${id} ${podHash}`) === "promoted")]),
  );
}

type RevisionSets = Awaited<ReturnType<typeof readReplicaSets>>;

/** Reads the gates of the current release that the controller skipped, by rollout; rollouts without any are absent. */
async function readSkippedGates(
  { pool }: Pick<Runtime, "pool">,
  rows: readonly { id: string }[],
): Promise<Map<string, SkippedGate[]>> {
  const query = tables
    .selectFrom(wantedIds(rows.map(({ id }) => id)))
    .crossJoinLateral(({ selectFrom }) =>
      selectFrom("observation as o")
        .select(["o.observed_at", "o.resource_version", "o.writer", "o.provider", "o.projection"])
        .whereRef("o.rollout_id", "=", "wanted.id")
        .orderBy("o.id", "desc")
        .limit(1)
        .as("newest"),
    )
    .select("wanted.id")
    .selectAll("newest")
    .where("newest.provider", "<>", "");
  const found = await readRows(pool, query);
  const gates = found.map(({ id, ...row }) => [id, readRecorded(row)?.state.skippedGates ?? []] as const);
  return new Map(gates.filter(([, skipped]) => skipped.length > 0));
}
