import type { GroupPlan, GroupPlanRequest, PlannedMember } from "#lib/contract/action-group.ts";
import type { AllowedAction } from "#lib/contract/rollout.ts";
import { groupActions } from "#lib/domain/acting/group-actions.ts";
import { formatObjectRef, type ObjectRef } from "#lib/domain/delivery/object-ref.ts";
import { nothingRelated } from "#lib/domain/delivery/related-state.ts";
import { providerOfKind } from "#lib/domain/providers.ts";
import { judgeRecorded, selectJudged } from "#lib/server/acting/permission/judge-recorded.ts";
import { readBarriers } from "#lib/server/acting/permission/read-barriers.ts";
import { readRelatedState } from "#lib/server/clusters/sources/read-related-state.ts";
import { readSources } from "#lib/server/clusters/sources/source-freshness.ts";
import { readInboxEvidence } from "#lib/server/pages/inbox/inbox-evidence.ts";
import { formatInboxSentence } from "#lib/server/pages/inbox/inbox-sentence.ts";
import { isReadable } from "#lib/server/people/permission/read-scope.ts";
import { allOf } from "#lib/server/platform/db/conditions.ts";
import { readRows } from "#lib/server/platform/db/run-query.ts";
import type { Call } from "#lib/server/process/service-context.ts";
import { isAtAnyPlace, rolloutPlace } from "#lib/server/records/rollout-row.ts";

/**
 * Judges an action for many rollouts by their recorded state, as their own pages do, without asking a cluster. The
 * answer has the state that each was judged in, which the request is then bound to.
 */
export async function planOnMany({ ctx, input }: Call<GroupPlanRequest>): Promise<GroupPlan> {
  const { runtime, actor } = ctx;
  const rows = await readRows(
    runtime.pool,
    selectJudged
      .where((eb) =>
        allOf([
          isAtAnyPlace(input.members),
          eb("r.presence", "in", ["live", "absent"]),
          isReadable(actor.rights, rolloutPlace),
        ]),
      )
      .orderBy("r.first_seen_at"),
  );
  const parsed = rows.map((row) => {
    const object = providerOfKind(row.kind).parse(row.object);
    return {
      ...row,
      rollout: object.ok ? object.value : undefined,
      workloads: object.ok ? object.value.workloads : [],
    };
  });
  const runNamesOf = ({ rollout }: (typeof parsed)[number]) => rollout?.runNames ?? [];
  const [sources, barrierOf, related, evidence] = await Promise.all([
    readSources(runtime),
    readBarriers(ctx, rows),
    readRelatedState(runtime.pool, parsed),
    readInboxEvidence(
      runtime,
      parsed.map((row) => ({ ...row, runNames: runNamesOf(row) })),
    ),
  ]);
  const now = runtime.now();
  const planned = parsed.map((row): [string, PlannedMember] => {
    const { cluster, namespace, kind, name, rollout } = row;
    const own = evidence.get(row.id)?.items ?? [];
    const id = formatObjectRef(row);
    const actions = judgeRecorded({
      ctx,
      row,
      rollout,
      related: related.get(row.id) ?? nothingRelated,
      sources,
      barrierOf,
      now,
      among: groupActions,
    });
    return [
      id,
      {
        rollout: { id, cluster, namespace, kind, name },
        viewDigest: row.view_digest,
        uid: row.uid,
        revisionKey: row.revision_key,
        sentence: row.attention_reason === null ? null : formatInboxSentence({ row, evidence: own }),
        evidence: own[0] ?? null,
        allowed: groupActions.filter((name) => actions.some(({ action, allowed }) => action === name && allowed)),
        plan: planOf(actions, input.action),
      },
    ];
  });
  // Of a recreated rollout the newest row is the last, and so the one that is kept.
  const byId = new Map(planned);
  return { items: input.members.flatMap((member: ObjectRef) => byId.get(formatObjectRef(member)) ?? []) };
}

/** Returns the plan of the action without its patches: they are in the audit log once they are sent. */
function planOf(actions: readonly AllowedAction[], wanted: GroupPlanRequest["action"]): PlannedMember["plan"] {
  const found = actions.find(({ action }) => action === wanted);
  if (found === undefined) return null;
  const { patches: _, kubectl: __, revisions: ___, containers: ____, ...plan } = found;
  return plan;
}
