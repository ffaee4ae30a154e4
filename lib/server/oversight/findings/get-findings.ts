import { z } from "zod";
import type { ListPage } from "#lib/contract/common.ts";
import type { Finding, FindingCounts, FindingDetail, FindingListQuery } from "#lib/contract/finding.ts";
import { findRule } from "#lib/domain/oversight/rule-catalogue.ts";
import { mayAcknowledge } from "#lib/server/oversight/findings/acknowledge.ts";
import type { StoreCall, StoreContext } from "#lib/server/platform/actor/actor.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { allOf, anyContains, given } from "#lib/server/platform/db/conditions.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { readRow, readRows } from "#lib/server/platform/db/run-query.ts";
import { countRows } from "#lib/server/platform/db/sql-functions.ts";
import { fragment, tables } from "#lib/server/platform/db/tables.ts";
import { DatabaseInt, DatabaseTime, isPast, parseListCursor, readPage } from "#lib/server/records/list-cursor.ts";
import { imagesOf } from "#lib/server/records/release-row.ts";
import {
  type FindingRow,
  isInState,
  isReadableFinding,
  selectFindings,
  serializeFinding,
  severityRank,
} from "./finding-row.ts";

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

/** Counts the open findings that the reader may see, by severity. */
export async function countOpenFindings({ ctx }: { ctx: StoreContext }): Promise<FindingCounts> {
  const rows = await readRows(
    ctx.runtime.pool,
    tables
      .selectFrom("finding as f")
      .select(["f.severity", countRows().as("count")])
      .where(() => allOf([isReadableFinding(ctx.actor.rights), isInState("open")]))
      .groupBy("f.severity"),
  );
  const open = { critical: 0, warning: 0, info: 0 };
  for (const { severity, count } of rows) open[severity] = count;
  return { open };
}

/** Returns one finding, open or past, with the words of its rule. Throws `not_found`. */
export async function getFinding({ ctx, input }: StoreCall<{ id: string }>): Promise<FindingDetail> {
  return describeFinding(ctx, await findFinding(ctx, input.id));
}

/** Reads a finding that the actor may see. Throws `not_found`. */
export async function findFinding({ runtime, actor }: StoreContext, id: string): Promise<FindingRow> {
  const row = await readRow(
    runtime.pool,
    selectFindings.where((eb) => allOf([eb("f.id", "=", id), isReadableFinding(actor.rights)])),
  );
  if (row === undefined) throw new ServiceError("not_found", `There is no finding ${id}.`);
  return row;
}

export async function describeFinding({ runtime, actor }: StoreContext, row: FindingRow): Promise<FindingDetail> {
  return {
    ...serializeFinding(row),
    explanation: findRule(row.rule)?.explanation ?? "",
    release: await readRelease(runtime, row),
    mayAcknowledge: mayAcknowledge(actor.rights, row),
  };
}

async function readRelease({ pool }: StoreContext["runtime"], row: FindingRow): Promise<FindingDetail["release"]> {
  const { rollout_id: rolloutId, run_key: runKey } = row;
  if (rolloutId === null || runKey === null) return null;
  const release = await prismaOn(pool).release.findFirst({
    where: { rolloutId, runKey },
    orderBy: { attempt: "desc" },
    select: { id: true, revision: true, attempt: true, images: true },
  });
  if (release === null) return null;
  return { ...release, runKey, images: imagesOf(release.images) };
}
