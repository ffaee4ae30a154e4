import { z } from "zod";
import type { InboxAnswer, InboxItem, InboxQuery } from "#lib/contract/inbox.ts";
import type { ActionName, AllowedAction } from "#lib/contract/rollout.ts";
import { entryOf, rolloutActions } from "#lib/domain/acting/action-catalogue.ts";
import { judgeActions } from "#lib/domain/acting/judge-actions.ts";
import { providerOfKind } from "#lib/domain/providers.ts";
import { openSql } from "#lib/server/acting/action-store.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";
import { judgeFromCache } from "#lib/server/services/acting/judge-at-cluster.ts";
import { makeGate } from "#lib/server/services/acting/make-gate.ts";
import { mayAcknowledge } from "#lib/server/services/inbox/acknowledge.ts";
import { answerSql, isAnsweredSql } from "#lib/server/services/inbox/inbox-answer.ts";
import { readInboxEvidence } from "#lib/server/services/inbox/inbox-evidence.ts";
import { formatInboxSentence } from "#lib/server/services/inbox/inbox-sentence.ts";
import { readSkippedGates } from "#lib/server/services/inbox/read-skipped-gates.ts";
import { DatabaseInt, DatabaseTime, pageOf, parseListCursor } from "#lib/server/services/list-cursor.ts";
import { readableSql } from "#lib/server/services/read-scope.ts";
import {
  accessOf,
  type RolloutRow,
  rolloutColumns,
  serializeRollout,
} from "#lib/server/services/rollouts/rollout-row.ts";
import { createSqlConditions } from "#lib/server/services/sql-conditions.ts";
import { isHeldSql, readSources, type SourceRow } from "#lib/server/sources/source-freshness.ts";

const severitySql = `CASE r.attention_severity WHEN 'critical' THEN 0 WHEN 'warning' THEN 1 ELSE 2 END`;

/**
 * Rank: first rollouts whose new version serves traffic, by severity; then those that wait without traffic; then
 * degraded ones of which only the stable version serves. Within each, the longest wait comes first.
 */
const rankSql = `CASE WHEN r.weight_actual > 0 THEN ${severitySql}
  WHEN r.attention_reason = 'degraded' THEN 20 ELSE 10 + ${severitySql} END`;
const Key = z.tuple([DatabaseInt, DatabaseTime, z.uuid()]);

/** The actions that answer a wait, and abort. The others are on the rollout's page, with more context. */
const answers: readonly ActionName[] = rolloutActions.filter(
  (name) => entryOf(name).answers !== undefined || name === "abort",
);

export type InboxRow = RolloutRow & {
  object: unknown;
  answer: InboxAnswer | null;
  rank: number;
  since_key: string;
  /** Latest message of an open action; null if there is none. */
  unresolved: string | null;
  held: boolean;
};

/** Returns everything that waits for a person, ranked, with measurements and allowed actions. */
export async function getInbox({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: InboxQuery;
}): Promise<{ items: InboxItem[]; nextCursor: string | null }> {
  const { runtime } = ctx;
  const after = parseListCursor(Key, input.cursor);
  const sql = createSqlConditions([
    "r.presence = 'live'",
    "r.attention_reason IS NOT NULL",
    "r.attention_since IS NOT NULL",
    `${isAnsweredSql} = ${input.answered === "true"}`,
  ]);
  sql.and(readableSql(sql, ctx.actor.rights, { cluster: "r.cluster", namespace: "r.namespace", name: "r.name" }));
  sql.where(input.cluster, (value) => `r.cluster = ${value}`);
  sql.where(input.attention, (value) => `r.attention_reason = ${value}`);
  sql.where(after?.[0], (rank) => {
    return `(${rankSql}, r.attention_since, r.id) > (${rank}::int, ${sql.bind(after?.[1])}::timestamptz, ${sql.bind(after?.[2])}::uuid)`;
  });
  const { rows } = await runtime.pool.query<InboxRow>(
    `SELECT ${rolloutColumns}, r.object, ${answerSql} AS answer, ${rankSql} AS rank, r.attention_since::text AS since_key,
       (SELECT x.message FROM action x WHERE x.rollout_id = r.id AND ${openSql} LIMIT 1) AS unresolved,
       ${isHeldSql} AS held
     FROM rollout r WHERE ${sql.text()}
     ORDER BY ${rankSql}, r.attention_since, r.id LIMIT ${sql.bind(input.limit + 1)}`,
    sql.values,
  );
  const kept = rows.slice(0, input.limit);
  const now = runtime.now();
  const [sources, evidence, skipped] = await Promise.all([
    readSources(runtime),
    readInboxEvidence(runtime, kept),
    readSkippedGates(runtime, kept),
  ]);
  return pageOf({
    rows,
    limit: input.limit,
    keyOf: (row) => [row.rank, row.since_key, row.id],
    toItem: (row): InboxItem => {
      const { items: own, again } = evidence.get(row.id) ?? { items: [], again: null };
      return {
        rollout: serializeRollout(row, accessOf(runtime, row.cluster)),
        answer: row.answer,
        mayAcknowledge: mayAcknowledge(ctx.actor.rights, row),
        sentence: formatInboxSentence({ row, evidence: own, skippedGates: skipped.get(row.id) ?? [] }),
        actions: listActions({ ctx, row, sources, now }),
        evidence: own,
        measuringAgain: again,
      };
    },
  });
}

function listActions({
  ctx,
  row,
  sources,
  now,
}: {
  ctx: ServiceContext;
  row: InboxRow;
  sources: readonly SourceRow[];
  now: Date;
}): AllowedAction[] {
  const rollout = providerOfKind(row.kind).parse(row.object);
  if (!rollout.ok) return [];
  const own = sources.filter((source) => source.cluster === row.cluster && source.kind === row.kind);
  const source =
    own.find((candidate) => candidate.namespace === row.namespace) ??
    own.find((candidate) => candidate.namespace === "");
  const gate = makeGate(ctx, {
    place: row,
    rollout: row,
    source,
    isHeld: row.held,
    unresolvedAction: row.unresolved === null ? undefined : { lastHeard: row.unresolved },
  });
  const actions = judgeActions(rollout.value.acting.offer({ now, images: row.images }), gate);
  // A row offers what its state is about: an action that the state itself rules out would only be noise.
  const offered = actions.filter(({ action, effect }) => effect !== undefined && answers.includes(action));
  const { listAccess } = rollout.value.acting;
  return judgeFromCache({ ctx, cluster: row.cluster, listAccess, actions: offered });
}
