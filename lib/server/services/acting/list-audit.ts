import { type SqlBool, sql } from "kysely";
import { z } from "zod";
import type { AuditItem, AuditListQuery } from "#lib/contract/audit.ts";
import { allOf, anyContains, type Condition, given } from "#lib/server/db/conditions.ts";
import { readRows } from "#lib/server/db/run-query.ts";
import { fragment } from "#lib/server/db/tables.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";
import { selectAuditItems, serializeAuditItem } from "#lib/server/services/acting/audit-item.ts";
import { isReadableAudit } from "#lib/server/services/acting/readable-audit.ts";
import { pageOf, parseListCursor } from "#lib/server/services/list-cursor.ts";

const Key = z.tuple([z.number().int().min(1)]);

const eb = fragment<{ a: "audit_entry" }>();

/** Entry `a` is not a request whose outcome follows, and not one that only names who made a change. */
const isWholeAct = eb.and([
  eb.not(
    eb.and([
      eb("a.outcome", "=", "intent"),
      eb.exists(
        eb
          .selectFrom("audit_entry as later")
          .select("later.seq")
          .whereRef("later.action_id", "=", "a.action_id")
          .where("later.outcome", "is not", null)
          .where("later.outcome", "<>", "intent"),
      ),
    ]),
  ),
  eb.not(
    eb.exists(
      eb
        .selectFrom("change_attribution as named")
        .select("named.audit_seq")
        .whereRef("named.attributed_seq", "=", "a.seq")
        .whereRef("named.audit_seq", "<>", "a.seq"),
    ),
  ),
]);

/** What a person would look for in entry `a`; its reason is only in its text. */
const searchedText = sql<string>`concat_ws(' ', ${eb.ref("a.actor_name")}, ${eb.ref("a.actor_subject")}, ${eb.ref("a.code")},
  ${eb.ref("a.cluster")}, ${eb.ref("a.namespace")}, ${eb.ref("a.name")},
  substring(${eb.ref("a.entry")} FROM '"reason":"([^"]*)'))`;

/** The entry is a refusal by the policy of this name, or an action that broke this freeze. */
function namesPolicy(name: string): Condition {
  // The canonical text writes strings as JSON.stringify does.
  const text = JSON.stringify(name);
  const has = (key: string) => sql<SqlBool>`position(${`"${key}":${text}`} in ${eb.ref("a.entry")}) > 0`;
  return eb.or([eb.and([eb("a.outcome", "=", "refused"), has("policy")]), has("brokenFreeze")]);
}

/**
 * Lists audit entries, newest first. `actor` matches parts of display name and subject; the other filters are exact.
 */
export async function listAudit({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: AuditListQuery;
}): Promise<{ items: AuditItem[]; nextCursor: string | null }> {
  const before = parseListCursor(Key, input.cursor);
  const rows = await readRows(
    ctx.runtime.pool,
    selectAuditItems
      .where((eb) =>
        allOf([
          isReadableAudit(ctx.actor),
          given(before, ([seq]) => eb("a.seq", "<", String(seq))),
          anyContains([eb.ref("a.actor_name"), eb.ref("a.actor_subject")], input.actor),
          given(input.action, (action) => eb("a.action", "=", action)),
          given(input.outcome, (outcome) => eb("a.outcome", "=", outcome)),
          given(input.source, (source) => eb("a.source", "=", source)),
          given(input.cluster, (cluster) => eb("a.cluster", "=", cluster)),
          given(input.namespace, (namespace) => eb("a.namespace", "=", namespace)),
          given(input.name, (name) => eb("a.name", "=", name)),
          given(input.policy, namesPolicy),
          given(input.from, (from) => eb("a.time", ">=", sql<Date>`${from}::timestamptz`)),
          input.rows === "acts" ? isWholeAct : undefined,
          anyContains([searchedText], input.q),
          given(input.to, (to) => eb("a.time", "<", sql<Date>`${to}::timestamptz`)),
        ]),
      )
      .orderBy("a.seq", "desc")
      .limit(input.limit + 1),
  );
  return pageOf({ rows, limit: input.limit, keyOf: (row) => [Number(row.seq)], toItem: serializeAuditItem });
}
