import { z } from "zod";
import type { ListPage } from "#lib/contract/common.ts";
import type { Finding, FindingListQuery } from "#lib/contract/finding.ts";
import type { StoreCall } from "#lib/server/platform/actor/actor.ts";
import { allOf, anyContains, given } from "#lib/server/platform/db/conditions.ts";
import { fragment } from "#lib/server/platform/db/tables.ts";
import { DatabaseInt, DatabaseTime, isPast, parseListCursor, readPage } from "#lib/server/records/list-cursor.ts";
import { isInState, isReadableFinding, selectFindings, serializeFinding, severityRank } from "./finding-row.ts";

const eb = fragment<{ f: "finding" }>();
const Key = z.tuple([DatabaseInt, DatabaseTime, z.uuid()]);

/** Found by the index of rollouts. */
function isAboutRun(uid: string) {
  const ofRollout = eb.selectFrom("analysis_run as a").select("a.rollout_id").where("a.uid", "=", uid);
  return eb.and([eb("f.run_uid", "=", uid), eb("f.rollout_id", "=", ofRollout)]);
}

/** Lists findings of all clusters: open and acknowledged ones by severity, then newest first; others newest first. */
export async function listFindings({ ctx, input }: StoreCall<FindingListQuery>): Promise<ListPage<Finding>> {
  const after = parseListCursor(Key, input.cursor);
  // Past findings are many, and none of them is urgent.
  const isBySeverity = input.state !== undefined && input.state !== "closed";
  const rank = isBySeverity ? severityRank : eb.lit(0);
  const query = selectFindings
    .select(rank.as("rank"))
    .where(
      allOf([
        isReadableFinding(ctx.actor.rights),
        given(input.about, (about) => eb("f.about", "=", about)),
        given(input.cluster, (cluster) => eb("f.cluster", "=", cluster)),
        given(input.namespace, (namespace) => eb("f.namespace", "=", namespace)),
        given(input.kind, (kind) => eb("f.kind", "=", kind)),
        given(input.name, (name) => eb("f.name", "=", name)),
        given(input.rule, (rule) => eb("f.rule", "=", rule)),
        given(input.severity, (severity) => eb("f.severity", "=", severity)),
        given(input.state, isInState),
        given(input.run, isAboutRun),
        given(input.revisionKey, (key) => eb("f.run_key", "=", key)),
        anyContains([eb.ref("f.title"), eb.ref("f.name"), eb.ref("f.namespace")], input.q),
        given(after, ([last, ...key]) =>
          eb.or([
            eb(rank, ">", last),
            eb.and([
              eb(rank, "=", last),
              isPast({ time: eb.ref("f.since"), id: eb.cast<string>("f.id", "text") }, key),
            ]),
          ]),
        ),
      ]),
    )
    .$if(isBySeverity, (ordered) => ordered.orderBy(rank))
    .orderBy("f.since", "desc")
    .orderBy("f.id");
  return readPage(ctx.runtime.pool, {
    query,
    limit: input.limit,
    keyOf: (row) => [row.rank, row.since_key, row.id],
    toItem: serializeFinding,
  });
}
