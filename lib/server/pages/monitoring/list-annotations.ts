import { type Expression, sql } from "kysely";
import { z } from "zod";
import type { ListPage } from "#lib/contract/common.ts";
import {
  type Annotation,
  type AnnotationKind,
  type AnnotationQuery,
  annotationKinds,
} from "#lib/contract/monitoring.ts";
import { formatObjectRef, type ObjectRef } from "#lib/domain/delivery/object-ref.ts";
import { linkTo, pathOfRollout } from "#lib/domain/notify/notifiable-event.ts";
import { formatTimelineText } from "#lib/server/pages/rollout/timeline-text.ts";
import { isReadable } from "#lib/server/people/permission/read-scope.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { allOf, type Condition, given } from "#lib/server/platform/db/conditions.ts";
import { readDatabaseTime } from "#lib/server/platform/db/database-time.ts";
import { type RowOf, readRows } from "#lib/server/platform/db/run-query.ts";
import { joinTexts } from "#lib/server/platform/db/sql-functions.ts";
import { fragment, tables } from "#lib/server/platform/db/tables.ts";
import type { Call, ServiceContext } from "#lib/server/process/service-context.ts";
import { DatabaseTime, isPast, pageOf, parseListCursor } from "#lib/server/records/list-cursor.ts";
import { imagesOf } from "#lib/server/records/release-row.ts";
import { rolloutPlace } from "#lib/server/records/rollout-row.ts";

const dayMs = 24 * 3_600_000;
/** A release that was under way at the beginning of the span is searched for this far back. */
const longestReleaseMs = 7 * dayMs;
const stepKinds = ["step", "pause", "resume", "abort", "retry"];

const eb = fragment<{ r: "rollout"; l: "release"; a: "action"; e: "timeline_event" }>();

const idOf = (kind: AnnotationKind, id: Expression<string>) => joinTexts("/", [sql.lit<string>(kind), id]);
const ids = {
  release: idOf("release", eb.cast<string>("l.id", "text")),
  step: idOf("step", joinTexts("/", [eb.cast<string>("e.rollout_id", "text"), eb.cast<string>("e.id", "text")])),
  action: idOf("action", eb.cast<string>("a.id", "text")),
} as const satisfies Record<AnnotationKind, Expression<string>>;

const places = ["r.cluster", "r.namespace", "r.kind", "r.name"] as const;

const selectReleases = tables
  .selectFrom("release as l")
  .innerJoin("rollout as r", "r.id", "l.rollout_id")
  .select(["l.started_at as at", "l.ended_at", "l.id as release_id", "l.state", "l.revision", "l.attempt", "l.images"])
  .select(places)
  .select(({ cast }) => [ids.release.as("id"), cast<string>("l.started_at", "text").as("at_key")])
  .orderBy("l.started_at", "desc")
  .orderBy(ids.release);

const selectSteps = tables
  .selectFrom("timeline_event as e")
  .innerJoin("rollout as r", "r.id", "e.rollout_id")
  .select(["e.at", "e.kind as state", "e.text"])
  .select(places)
  .select(({ cast }) => [ids.step.as("id"), cast<string>("e.at", "text").as("at_key")])
  .where("e.kind", "in", stepKinds)
  .orderBy("e.at", "desc")
  .orderBy(ids.step);

const selectActions = tables
  .selectFrom("action as a")
  .innerJoin("rollout as r", "r.id", "a.rollout_id")
  .select(["a.requested_at as at", "a.action", "a.state", "a.actor_name", "a.reason", "a.message"])
  .select(places)
  .select(({ cast }) => [ids.action.as("id"), cast<string>("a.requested_at", "text").as("at_key")])
  .orderBy("a.requested_at", "desc")
  .orderBy(ids.action);

type Row = ObjectRef & { id: string; at: Date; at_key: string };
type Mark = Row & { annotation: Annotation };

const Key = z.tuple([DatabaseTime, z.string().max(200)]);

/**
 * Lists releases, steps and actions of a span of time as annotations, newest first. A release that was under way at its
 * beginning is included. Throws `invalid_request` for steps of all rollouts: they would be too many.
 */
export async function listAnnotations({ ctx, input }: Call<AnnotationQuery>): Promise<ListPage<Annotation>> {
  if (input.kind === "step" && input.name === undefined) {
    const reason = "steps are listed of one rollout: give its name";
    throw new ServiceError("invalid_request", `name: ${reason}`, { invalidParams: [{ name: "name", reason }] });
  }
  const after = parseListCursor(Key, input.cursor);
  const to = input.to === undefined ? await readDatabaseTime(ctx.runtime.pool) : new Date(input.to);
  const from = input.from === undefined ? new Date(to.getTime() - dayMs) : new Date(input.from);
  const page: Page = { ctx, input, after, from, to, most: input.limit + 1 };
  const usual = annotationKinds.filter((kind) => kind !== "step" || input.name !== undefined);
  const kinds = input.kind === undefined ? usual : [input.kind];
  const marks = await Promise.all(kinds.map((kind) => readers[kind](page)));
  return pageOf({
    rows: marks.flat().toSorted(byTime),
    limit: input.limit,
    keyOf: ({ at_key: at, id }) => [at, id],
    toItem: ({ annotation }) => annotation,
  });
}

type Page = {
  ctx: ServiceContext;
  input: AnnotationQuery;
  after: z.infer<typeof Key> | undefined;
  from: Date;
  to: Date;
  most: number;
};

/** Newest first, as the statements order them: a Date has no microseconds. */
function byTime(one: Row, other: Row): number {
  const ms = other.at.getTime() - one.at.getTime();
  if (ms !== 0) return ms;
  if (one.at_key !== other.at_key) return one.at_key > other.at_key ? -1 : 1;
  return one.id < other.id ? -1 : 1;
}

function conditionsOf({ ctx, input, after, to }: Page, key: { time: Expression<Date>; id: Expression<string> }) {
  return [
    isReadable(ctx.actor.rights, rolloutPlace),
    given(input.cluster, (cluster) => eb("r.cluster", "=", cluster)),
    given(input.namespace, (namespace) => eb("r.namespace", "=", namespace)),
    given(input.name, (name) => eb("r.name", "=", name)),
    eb(key.time, "<", to),
    given(after, (last) => isPast(key, last)),
  ] satisfies (Condition | undefined)[];
}

async function readReleases(page: Page): Promise<Mark[]> {
  const { ctx, from, most } = page;
  const earliest = new Date(from.getTime() - longestReleaseMs);
  const query = selectReleases.where(
    allOf([
      ...conditionsOf(page, { time: eb.ref("l.started_at"), id: ids.release }),
      eb("l.started_at", ">=", earliest),
      eb.or([eb("l.started_at", ">=", from), eb("l.ended_at", "is", null), eb("l.ended_at", ">=", from)]),
    ]),
  );
  const rows = await readRows(ctx.runtime.pool, query.limit(most));
  return rows.map((row) => toMark(ctx, row, describeRelease(row)));
}

async function readSteps(page: Page): Promise<Mark[]> {
  const { ctx, from, most } = page;
  const query = selectSteps.where(
    allOf([...conditionsOf(page, { time: eb.ref("e.at"), id: ids.step }), eb("e.at", ">=", from)]),
  );
  const rows = await readRows(ctx.runtime.pool, query.limit(most));
  return rows.map((row) => {
    const title = formatTimelineText({ text: row.text, act: null });
    return toMark(ctx, row, { kind: "step", title: row.name, text: title, state: row.state });
  });
}

async function readActions(page: Page): Promise<Mark[]> {
  const { ctx, from, most } = page;
  const query = selectActions.where(
    allOf([
      ...conditionsOf(page, { time: eb.ref("a.requested_at"), id: ids.action }),
      eb("a.requested_at", ">=", from),
    ]),
  );
  const rows = await readRows(ctx.runtime.pool, query.limit(most));
  return rows.map((row) => {
    const { action, state, reason, message } = row;
    const text = formatTimelineText({ text: row.actor_name, act: { action, state, reason, message } });
    return toMark(ctx, row, { kind: "action", title: row.name, text, state });
  });
}

const readers = { release: readReleases, step: readSteps, action: readActions };

function describeRelease(row: RowOf<typeof selectReleases>): Described {
  const parts = [
    row.revision === null ? undefined : `revision ${row.revision}`,
    row.attempt > 1 ? `attempt ${row.attempt}` : undefined,
    imagesOf(row.images).join(", ") || undefined,
  ];
  return {
    kind: "release",
    title: `${row.name}: ${row.state}`,
    text: parts.filter((part) => part !== undefined).join(", "),
    state: row.state,
    timeEnd: row.ended_at,
    path: `/releases/${row.release_id}`,
  };
}

type Described = {
  kind: AnnotationKind;
  title: string;
  text: string;
  state: string;
  timeEnd?: Date | null;
  path?: string;
};

function toMark({ runtime }: ServiceContext, row: Row, { kind, state, timeEnd, path, ...words }: Described): Mark {
  const { cluster, namespace, name } = row;
  const annotation = {
    id: row.id,
    kind,
    time: row.at.toISOString(),
    timeEnd: timeEnd?.toISOString() ?? null,
    ...words,
    tags: [kind, state, cluster, namespace, name].join(","),
    rollout: { id: formatObjectRef(row), cluster, namespace, kind: row.kind, name },
    url: linkTo(runtime.config().config.publicUrl, path ?? pathOfRollout(row)),
  };
  return { ...row, annotation };
}
