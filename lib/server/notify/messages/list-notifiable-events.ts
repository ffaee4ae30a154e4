import { z } from "zod";
import type { ListPage, ListQuery } from "#lib/contract/common.ts";
import type { NotifiableEventItem } from "#lib/contract/notification.ts";
import { isReadable } from "#lib/server/people/permission/read-scope.ts";
import { allOf, given } from "#lib/server/platform/db/conditions.ts";
import type { RowOf } from "#lib/server/platform/db/run-query.ts";
import { fragment, tables } from "#lib/server/platform/db/tables.ts";
import type { Call } from "#lib/server/process/service-context.ts";
import { DatabaseTime, isPast, parseListCursor, readPage } from "#lib/server/records/list-cursor.ts";
import { cleanLine } from "#lib/util/text.ts";

const Key = z.tuple([DatabaseTime, z.uuid()]);
const { ref } = fragment<{ e: "notifiable_event" }>();
const place = {
  cluster: ref("e.cluster"),
  namespace: ref("e.namespace"),
  kind: ref("e.object_kind"),
  name: ref("e.name"),
};

const selectItems = tables
  .selectFrom("notifiable_event as e")
  .select(["e.id", "e.kind", "e.severity", "e.cluster", "e.namespace", "e.object_kind", "e.name"])
  .select(["e.title", "e.sentence", "e.path", "e.at", "e.queued_at"])
  .select(({ cast }) => cast<string>("e.queued_at", "text").as("queued_key"));

/** Lists the events whose rollout the actor may see, newest first. */
export async function listNotifiableEvents({ ctx, input }: Call<ListQuery>): Promise<ListPage<NotifiableEventItem>> {
  const after = parseListCursor(Key, input.cursor);
  const query = selectItems
    .where((eb) =>
      allOf([
        isReadable(ctx.actor.rights, place),
        given(after, (key) => isPast({ time: eb.ref("e.queued_at"), id: eb.ref("e.id") }, key)),
      ]),
    )
    .orderBy("e.queued_at", "desc")
    .orderBy("e.id");
  return readPage(ctx.runtime.pool, {
    query,
    limit: input.limit,
    keyOf: (row) => [row.queued_key, row.id],
    toItem: serialize,
  });
}

function serialize({ object_kind, at, kind, ...row }: RowOf<typeof selectItems>): NotifiableEventItem {
  // Tests go to one channel and are no events of the outbox.
  if (kind === "test") throw new TypeError("a test is no event");
  const { id, severity, cluster, namespace, name, path } = row;
  return {
    ...{ id, kind, severity, cluster, namespace, name, path },
    title: cleanLine(row.title),
    sentence: cleanLine(row.sentence),
    kindOfObject: object_kind,
    at: at.toISOString(),
    queuedAt: row.queued_at.toISOString(),
  };
}
