import { type AliasableExpression, sql } from "kysely";
import { jsonBuildObject } from "kysely/helpers/postgres";
import { z } from "zod";
import type { ListPage, ListQuery } from "#lib/contract/common.ts";
import type { RolloutPath } from "#lib/contract/rollout.ts";
import type { TimelineEvent } from "#lib/contract/timeline.ts";
import { gateAction } from "#lib/server/oversight/append-unasked.ts";
import { formatTimelineText, readTimelineAct, type TimelineAct } from "#lib/server/pages/rollout/timeline-text.ts";
import { findRolloutIds } from "#lib/server/people/permission/find-rollout.ts";
import { allOf, given, isOneOf } from "#lib/server/platform/db/conditions.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import type { RowOf } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import type { Call, ServiceContext } from "#lib/server/process/service-context.ts";
import { asTime, DatabaseInt, DatabaseTime, parseListCursor, readPage } from "#lib/server/records/list-cursor.ts";

const Key = z.tuple([DatabaseTime, DatabaseInt, z.string()]);

const selectDerived = tables
  .selectFrom("timeline_event as e")
  .select(({ cast, lit }) => [
    cast<string>("e.id", "text").as("id"),
    "e.at",
    "e.ord",
    "e.kind",
    "e.text",
    "e.phase",
    "e.rollout_id",
    "e.run_name",
    cast<string | null>(lit(null), "int8").as("audit_seq"),
    cast<string | null>(lit(null), "int8").as("outcome_seq"),
    cast<TimelineAct | null>(lit(null), "json").as("act"),
  ]);

const selectAsked = tables.selectFrom("action as a").select(({ case: when, cast, fn, lit, ref }) => [
  cast<string>("a.id", "text").as("id"),
  "a.requested_at as at",
  sql.lit(1_000_000).as("ord"),
  sql.lit("action").as("kind"),
  fn<string>("concat", [
    "a.actor_name",
    when()
      .whenRef("a.actor_username", "<>", "a.actor_name")
      .then(fn<string>("concat", [sql.lit(" ("), "a.actor_username", sql.lit(")")]))
      .end(),
  ]).as("text"),
  "a.state as phase",
  "a.rollout_id",
  cast<string | null>(lit(null), "text").as("run_name"),
  "a.intent_seq as audit_seq",
  "a.outcome_seq",
  jsonBuildObject({
    action: ref("a.action"),
    state: ref("a.state"),
    reason: ref("a.reason"),
    message: ref("a.message"),
  })
    .$castTo<TimelineAct | null>()
    .as("act"),
]);

const selectUnasked = tables
  .selectFrom("unasked_change as u")
  .select(({ cast, eb, fn, lit, ref, selectFrom }) => [
    fn<string>("concat", ["u.observation_id", sql.lit(" "), "u.action", "u.subject_uid"]).as("id"),
    "u.at",
    sql.lit(999_999).as("ord"),
    sql.lit("unasked").as("kind"),
    fn<string>("concat", [
      fn.coalesce("u.client", sql.lit("Client unknown")),
      sql.lit(", outside Gatehouse: "),
      "u.action",
      // Null without a subject.
      eb(sql.lit(" "), "||", ref("u.subject_name")),
    ]).as("text"),
    cast<string | null>(lit(null), "text").as("phase"),
    "u.rollout_id",
    "u.subject_name as run_name",
    "u.audit_seq",
    cast<string | null>(lit(null), "int8").as("outcome_seq"),
    jsonBuildObject({
      action: ref("u.action"),
      client: ref("u.client"),
      subject: ref("u.subject_name"),
      entry: selectFrom("audit_entry as n").select("n.entry").whereRef("n.seq", "=", "u.audit_seq"),
      attribution: selectFrom("audit_entry as m").select("m.entry").whereRef("m.seq", "=", "u.attributed_seq"),
    })
      .$castTo<TimelineAct | null>()
      .as("act"),
  ])
  .where("u.action", "<>", gateAction);

/** A request for a second person, and the decisions about it: entries of the audit log that name it. */
const selectApprovals = tables
  .selectFrom("approval as p")
  .innerJoin("audit_entry as n", (join) =>
    join
      .onRef("n.cluster", "=", "p.cluster")
      .onRef("n.namespace", "=", "p.namespace")
      .onRef("n.name", "=", "p.name")
      .on("n.code", "like", "approval.%")
      .on(({ eb, fn, cast, ref }) => {
        const named = fn<string>("concat", [sql.lit('"approval":"'), cast<string>("p.id", "text"), sql.lit('"')]);
        return eb(fn<number>("strpos", [ref("n.entry"), named]), ">", 0);
      }),
  )
  .select(({ cast, fn, lit, ref }) => [
    fn<string>("concat", [sql.lit("approval "), cast<string>("n.seq", "text")]).as("id"),
    "n.time as at",
    sql.lit(999_998).as("ord"),
    sql.lit("approval").as("kind"),
    "n.actor_name as text",
    cast<string | null>(lit(null), "text").as("phase"),
    "p.rollout_id",
    cast<string | null>(lit(null), "text").as("run_name"),
    "n.seq as audit_seq",
    cast<string | null>(lit(null), "int8").as("outcome_seq"),
    jsonBuildObject({ entry: ref("n.entry") })
      .$castTo<TimelineAct | null>()
      .as("act"),
  ]);

type Page = { after: z.infer<typeof Key> | undefined; most: number };

/**
 * Selects what happened to these rollouts, in no order: everything, or what is needed for a page of the newest. Each kind
 * of event is limited by itself, since a rollout may have had any number of them.
 */
export function selectTimeline(rolloutIds: readonly string[], page?: Page) {
  const derived = selectDerived.where(({ ref }) => isOneOf(ref("e.rollout_id"), rolloutIds, "uuid"));
  const asked = selectAsked.where(({ ref }) => isOneOf(ref("a.rollout_id"), rolloutIds, "uuid"));
  const unasked = selectUnasked.where(({ ref }) => isOneOf(ref("u.rollout_id"), rolloutIds, "uuid"));
  const approvals = selectApprovals.where(({ ref }) => isOneOf(ref("p.rollout_id"), rolloutIds, "uuid"));
  const events = limit(derived, page)
    .unionAll(limit(asked, page))
    .unionAll(limit(unasked, page))
    .unionAll(limit(approvals, page));
  return tables
    .selectFrom(events.as("events"))
    .selectAll()
    .select(({ cast, selectFrom }) => {
      const run = selectFrom("analysis_run as n")
        .whereRef("n.rollout_id", "=", "events.rollout_id")
        .whereRef("n.name", "=", "events.run_name")
        .orderBy("n.created_at", "desc")
        .limit(1);
      return [
        cast<string>("events.at", "text").as("at_key"),
        run.select("n.uid").as("run_uid"),
        run.select("n.step_index").as("run_step"),
      ];
    });
}

function limit(events: AliasableExpression<RowOf<typeof selectDerived>>, page: Page | undefined) {
  const newest = tables
    .selectFrom(events.as("one"))
    .selectAll()
    .$if(page !== undefined, (query) =>
      query
        .where((eb) =>
          allOf([
            given(page?.after, ([at, ord, id]) =>
              eb(eb.refTuple("one.at", "one.ord", "one.id"), "<", eb.tuple(asTime(at), ord, id)),
            ),
          ]),
        )
        .orderBy("one.at", "desc")
        .orderBy("one.ord", "desc")
        .orderBy("one.id", "desc")
        .limit(page?.most ?? 0),
    );
  return tables.selectFrom(newest.as("newest")).selectAll();
}

/**
 * Lists what happened to one rollout, newest first: observations, requests made through Gatehouse with the approvals of
 * a second person, and acts without it.
 * An action is listed at the time of its request, above observations of the same moment.
 */
export async function listRolloutTimeline({
  ctx,
  input,
}: Call<RolloutPath & ListQuery>): Promise<ListPage<TimelineEvent>> {
  const rolloutIds = await findRolloutIds(ctx, input);
  const after = parseListCursor(Key, input.cursor);
  const query = selectTimeline(rolloutIds, { after, most: input.limit + 1 })
    .orderBy("events.at", "desc")
    .orderBy("events.ord", "desc")
    .orderBy("events.id", "desc");
  const { items, nextCursor } = await readPage(ctx.runtime.pool, {
    query,
    limit: input.limit,
    keyOf: (row) => [row.at_key, row.ord, row.id],
    toItem: (row) => ({
      id: row.id,
      at: row.at.toISOString(),
      kind: row.kind,
      text: formatTimelineText({ ...row, run: runOf(row) }),
      phase: row.phase,
      runUid: row.run_uid,
      runName: row.run_name,
      ...readEntryNumbers(row),
      ...readTimelineAct(row.act),
    }),
  });
  const releases = await readReleases(ctx, rolloutIds, { newest: items[0]?.at, most: items.length + 1 });
  return { items: items.map((item) => ({ ...item, release: findReleaseAt(releases, item.at) })), nextCursor };
}

function runOf({ run_name: name, run_step: step }: { run_name: string | null; run_step: number | null }) {
  return name === null ? undefined : { name, step };
}

/** Returns the entries of the audit log about an event. */
export function readEntryNumbers({ audit_seq, outcome_seq }: { audit_seq: string | null; outcome_seq: string | null }) {
  return {
    auditSeq: audit_seq === null ? null : Number(audit_seq),
    outcomeSeq: outcome_seq === null ? null : Number(outcome_seq),
  };
}

/** Reads the releases that had begun when the newest event happened, newest first. Each one begins with an event. */
async function readReleases(
  { runtime }: ServiceContext,
  rolloutIds: readonly string[],
  { newest, most }: { newest: string | undefined; most: number },
): Promise<TimelineRelease[]> {
  if (newest === undefined) return [];
  // Events have whole milliseconds, releases do not.
  const until = new Date(Date.parse(newest) + 1);
  const releases = await prismaOn(runtime.pool).release.findMany({
    where: { rolloutId: { in: [...rolloutIds] }, startedAt: { lt: until } },
    orderBy: [{ startedAt: "desc" }, { id: "asc" }],
    take: most,
    select: { id: true, revision: true, attempt: true, state: true, images: true, startedAt: true },
  });
  return releases.map(({ startedAt, ...release }) => ({ ...release, startedAt: startedAt.toISOString() }));
}

export type TimelineRelease = NonNullable<TimelineEvent["release"]>;

/**
 * Finds the release that was the newest at a time. An event is written in milliseconds, a release in microseconds: one
 * that began within the event's millisecond counts. `releases`: newest first.
 */
export function findReleaseAt(releases: readonly TimelineRelease[], at: string): TimelineRelease | null {
  const ms = Date.parse(at);
  return releases.find(({ startedAt }) => Date.parse(startedAt) <= ms) ?? null;
}
