import { z } from "zod";
import type { ListQuery } from "#lib/contract/common.ts";
import type { Session } from "#lib/contract/system.ts";
import { isAdmin } from "#lib/domain/policy/rights.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";
import { DatabaseTime, pageOf, parseListCursor } from "#lib/server/services/list-cursor.ts";
import {
  openSessionSql,
  type SessionRow,
  serializeSession,
  sessionColumns,
} from "#lib/server/services/sessions/session-row.ts";
import { createSqlConditions } from "#lib/server/services/sql-conditions.ts";

const Key = z.tuple([DatabaseTime, z.uuid()]);

/**
 * Lists open sessions, last used first: one's own, or everybody's for an admin. A session that is used while the pages
 * are read moves before the first page.
 */
export async function listSessions({
  ctx: { actor, runtime },
  input,
}: {
  ctx: ServiceContext;
  input: ListQuery;
}): Promise<{ items: Session[]; nextCursor: string | null }> {
  const after = parseListCursor(Key, input.cursor);
  const sql = createSqlConditions([openSessionSql]);
  sql.where(isAdmin(actor.rights) ? undefined : actor.userId, (value) => `s.user_id = ${value}`);
  sql.where(after?.[0], (at) => `(s.last_seen_at, s.id) < (${at}::timestamptz, ${sql.bind(after?.[1])}::uuid)`);
  const { rows } = await runtime.pool.query<SessionRow & { seen_key: string }>(
    `SELECT ${sessionColumns}, s.last_seen_at::text AS seen_key
     FROM user_session s JOIN user_account u ON u.id = s.user_id
     WHERE ${sql.text()} ORDER BY s.last_seen_at DESC, s.id DESC LIMIT ${sql.bind(input.limit + 1)}`,
    sql.values,
  );
  return pageOf({
    rows,
    limit: input.limit,
    keyOf: (row) => [row.seen_key, row.id],
    toItem: (row) => serializeSession(row, actor.session?.id),
  });
}
