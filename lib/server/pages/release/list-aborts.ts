import { z } from "zod";
import type { Abort, AbortListQuery } from "#lib/contract/audit.ts";
import type { ListPage } from "#lib/contract/common.ts";
import type { ReleaseAct } from "#lib/contract/rollout.ts";
import { backActions } from "#lib/domain/acting/action-catalogue.ts";
import { isAbortOnRequest, wordMessage } from "#lib/domain/controller-words.ts";
import { attributeAbort } from "#lib/domain/delivery/attribute-abort.ts";
import { formatObjectRef } from "#lib/domain/delivery/object-ref.ts";
import { providerOfKind } from "#lib/domain/providers.ts";
import { isActedOnBy, readReleaseActs } from "#lib/server/pages/release/read-release-acts.ts";
import { isReadable } from "#lib/server/people/permission/read-scope.ts";
import { allOf, given } from "#lib/server/platform/db/conditions.ts";
import { type RowOf, readRows } from "#lib/server/platform/db/run-query.ts";
import { fragment, tables } from "#lib/server/platform/db/tables.ts";
import type { Call } from "#lib/server/process/service-context.ts";
import { isInTimeSpan } from "#lib/server/records/in-time-span.ts";
import { DatabaseTime, isPast, pageOf, parseListCursor } from "#lib/server/records/list-cursor.ts";
import { imagesOf, isRunOfRelease } from "#lib/server/records/release-row.ts";
import { rolloutPlace } from "#lib/server/records/rollout-row.ts";

const { cast, fn, selectFrom } = fragment<{ l: "release" }>();

/** When release `l` ended; one that was aborted has an end. */
const abortedAt = fn.coalesce("l.ended_at", "l.updated_at");

/** The run of release `l` that failed last. */
const failedRun = selectFrom("analysis_run as a")
  .select("a.uid")
  .where(isRunOfRelease())
  .where("a.phase", "in", ["Failed", "Error"])
  .orderBy("a.completed_at", (order) => order.desc().nullsLast())
  .orderBy("a.uid")
  .limit(1);

const selectAborts = tables
  .selectFrom("release as l")
  .innerJoin("rollout as r", "r.id", "l.rollout_id")
  .select(["l.id", "l.revision", "l.attempt", "l.images", "l.message", "r.cluster", "r.namespace", "r.kind", "r.name"])
  .select([abortedAt.as("aborted_at"), cast<string>(abortedAt, "text").as("aborted_key"), failedRun.as("failed_run")])
  .where("l.state", "=", "aborted");

type Row = RowOf<typeof selectAborts>;

const Key = z.tuple([DatabaseTime, z.uuid()]);

/** Acts looked through for the one that aborted; a release has few. */
const shownActs = 50;

/**
 * Lists aborted releases, the last aborted first, with who aborted each: a person, somebody outside Gatehouse, or the
 * controller. Only audit entries that the caller may read name anybody.
 */
export async function listAborts({ ctx, input }: Call<AbortListQuery>): Promise<ListPage<Abort>> {
  const after = parseListCursor(Key, input.cursor);
  const rows = await readRows(
    ctx.runtime.pool,
    selectAborts
      .where((eb) =>
        allOf([
          isReadable(ctx.actor.rights, rolloutPlace),
          given(input.cluster, (cluster) => eb("r.cluster", "=", cluster)),
          given(input.namespace, (namespace) => eb("r.namespace", "=", namespace)),
          given(input.name, (name) => eb("r.name", "=", name)),
          given(input.person, isActedOnBy),
          isInTimeSpan(abortedAt, input),
          given(after, (key) => isPast({ time: abortedAt, id: eb.ref("l.id") }, key)),
        ]),
      )
      .orderBy(abortedAt, "desc")
      .orderBy("l.id")
      .limit(input.limit + 1),
  );
  const ids = rows.slice(0, input.limit).map(({ id }) => id);
  const acts = await readReleaseActs(ctx, ids, { shownActs });
  return pageOf({
    rows,
    limit: input.limit,
    keyOf: (row) => [row.aborted_key, row.id],
    toItem: (row) => serializeAbort(row, acts.of(row.id).latest.find(isBack)),
  });
}

function isBack({ action }: ReleaseAct): boolean {
  return backActions.some((name) => name === action);
}

function serializeAbort(row: Row, act: ReleaseAct | undefined): Abort {
  const { cluster, namespace, kind, name } = row;
  const by = attributeAbort({ isOnRequest: isAbortOnRequest(row.message), act });
  const own = by === "person" || by === "client" ? act : undefined;
  return {
    release: { id: row.id, revision: row.revision, attempt: row.attempt, images: imagesOf(row.images) },
    rollout: { id: formatObjectRef(row), cluster, namespace, kind, name },
    at: row.aborted_at.toISOString(),
    by,
    who: own?.who ?? (by === "controller" ? providerOfKind(kind).controllerName : "Client unknown"),
    reason: own?.reason ?? null,
    why: wordMessage(row.message),
    auditSeq: own?.seq ?? null,
    runUid: by === "controller" ? row.failed_run : null,
  };
}
