import { z } from "zod";
import type { ListPage, ListQuery } from "#lib/contract/common.ts";
import type { Session } from "#lib/contract/system.ts";
import { isListedFor, selectListedSessions, serializeSession } from "#lib/server/people/sessions/session-row.ts";
import { allOf, given } from "#lib/server/platform/db/conditions.ts";
import { readRows } from "#lib/server/platform/db/run-query.ts";
import type { Call } from "#lib/server/process/service-context.ts";
import { asTime, DatabaseTime, pageOf, parseListCursor } from "#lib/server/records/list-cursor.ts";

const Key = z.tuple([DatabaseTime, z.uuid()]);

/**
 * Lists open sessions, last used first: a person's own, or all for an admin. A session that is used while the pages are
 * read moves before the first page.
 */
export async function listSessions({ ctx: { actor, runtime }, input }: Call<ListQuery>): Promise<ListPage<Session>> {
  const after = parseListCursor(Key, input.cursor);
  const query = selectListedSessions
    .select(({ cast }) => cast<string>("s.last_seen_at", "text").as("seen_key"))
    .where((eb) =>
      allOf([
        isListedFor(actor),
        given(after, ([at, id]) => eb(eb.refTuple("s.last_seen_at", "s.id"), "<", eb.tuple(asTime(at), id))),
      ]),
    )
    .orderBy("s.last_seen_at", "desc")
    .orderBy("s.id", "desc")
    .limit(input.limit + 1);
  const rows = await readRows(runtime.pool, query);
  return pageOf({
    rows,
    limit: input.limit,
    keyOf: (row) => [row.seen_key, row.id],
    toItem: (row) => serializeSession(row, actor.session?.id),
  });
}
