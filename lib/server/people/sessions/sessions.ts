import { z } from "zod";
import type { ListPage, ListQuery } from "#lib/contract/common.ts";
import type { Session } from "#lib/contract/system.ts";
import { isAdmin } from "#lib/domain/policy/rights.ts";
import { selectOpenSessions } from "#lib/server/people/auth/stored-session.ts";
import type { Actor } from "#lib/server/platform/actor/actor.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { allOf, type Condition, given } from "#lib/server/platform/db/conditions.ts";
import { type RowOf, readRow, readRows } from "#lib/server/platform/db/run-query.ts";
import { fragment } from "#lib/server/platform/db/tables.ts";
import type { Call, ServiceContext } from "#lib/server/process/service-context.ts";
import { asTime, DatabaseTime, pageOf, parseListCursor } from "#lib/server/records/list-cursor.ts";

const selectListedSessions = selectOpenSessions.select(["s.created_at", "s.last_seen_at", "s.user_agent", "s.address"]);

const session = fragment<{ s: "user_session" }>();

/**
 * Returns the condition that the actor sees and ends session `s`: a person's own, and undefined for an admin, who sees
 * all. A token has no sessions: those of its owner are the owner's.
 */
function isListedFor({ rights, type, userId }: Actor): Condition | undefined {
  if (isAdmin(rights)) return undefined;
  return type === "user" ? session("s.user_id", "=", userId) : session.lit(false);
}

function serializeSession(row: RowOf<typeof selectListedSessions>, currentId: string | undefined): Session {
  return {
    id: row.id,
    user: { issuer: row.issuer, subject: row.subject, name: row.name },
    current: row.id === currentId,
    createdAt: row.created_at.toISOString(),
    lastSeenAt: row.last_seen_at.toISOString(),
    idleExpiresAt: row.idle_expires_at.toISOString(),
    absoluteExpiresAt: row.absolute_expires_at.toISOString(),
    authenticatedAt: row.authenticated_at?.toISOString() ?? null,
    userAgent: row.user_agent,
    address: row.address,
  };
}

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

/** Finds an open session that the actor may end. Throws `not_found` for one that is over, and for other people's. */
export async function findListedSession(
  { actor, runtime }: ServiceContext,
  id: string,
): Promise<{ row: RowOf<typeof selectListedSessions>; session: Session }> {
  const missing = new ServiceError("not_found", `There is no open session ${id}.`);
  if (!z.uuid().safeParse(id).success) throw missing;
  const found = selectListedSessions.where((eb) => allOf([eb("s.id", "=", id), isListedFor(actor)]));
  const row = await readRow(runtime.pool, found);
  if (row === undefined) throw missing;
  return { row, session: serializeSession(row, actor.session?.id) };
}
