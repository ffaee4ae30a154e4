import type { AuditItem, AuditListQuery } from "#lib/contract/audit.ts";
import type { ListPage } from "#lib/contract/common.ts";
import { isReadableAudit } from "#lib/server/pages/audit/readable-audit.ts";
import type { Actor } from "#lib/server/platform/actor/actor.ts";
import { allOf, anyContains, type Condition, given } from "#lib/server/platform/db/conditions.ts";
import { fragment } from "#lib/server/platform/db/tables.ts";
import type { Call } from "#lib/server/process/service-context.ts";
import { hasAuditText, selectAuditItems, serializeAuditItem } from "#lib/server/records/audit-item.ts";
import { isInTimeSpan } from "#lib/server/records/in-time-span.ts";
import {
  bothWays,
  type ListOrder,
  listOrder,
  type Orders,
  orderPart,
  readOrdered,
} from "#lib/server/records/list-order.ts";

const eb = fragment<{ a: "audit_entry" }>();

const orders: Orders<"time"> = { time: bothWays([orderPart(eb.ref("a.seq"), "int8")]) };

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
        .selectFrom("unasked_change as named")
        .select("named.audit_seq")
        .whereRef("named.attributed_seq", "=", "a.seq")
        .whereRef("named.audit_seq", "<>", "a.seq"),
    ),
  ),
]);

/** Entry `a` answers a wait: an action that was applied, or an acknowledgement. */
const isAnswer = eb.and([
  eb("a.source", "=", "gatehouse"),
  eb("a.outcome", "=", "applied"),
  eb("a.code", "not in", ["action.schedule", "action.unschedule"]),
  eb.or([eb("a.action", "is not", null), eb("a.code", "=", "attention.acknowledge")]),
]);

/**
 * The entry is a refusal by the policy or set of this name, an action that broke it, or one that the rule would not have
 * let pass while it was observed. Several freezes are named in one text, separated by commas.
 */
function namesPolicy(name: string): Condition {
  // The canonical text writes strings as JSON.stringify does.
  const text = JSON.stringify(name)
    .slice(1, -1)
    .replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  const has = (key: string) => eb("a.entry", "~", `"${key}":"((?:[^"\\\\]|\\\\.)*, )?${text}(?:, |")`);
  const observed = eb("a.entry", "~", `"kind":"[a-z-]+","rule":"${text}","would":"`);
  const refused = eb.and([eb("a.outcome", "=", "refused"), has("policy")]);
  return eb.or([refused, has("brokenFreeze"), has("aheadOfSet"), observed]);
}

type Filters = Omit<AuditListQuery, "limit">;

/** The order of entries, which is that of the chain: it is also the order of their times. */
export function auditOrder({ sort, cursor }: Filters, usual: "time" | "-time"): ListOrder {
  return listOrder(orders, { sort, usual, cursor });
}

/** Returns the condition that the actor may read entry `a` and that it passes the filters. */
export function isListedAudit(actor: Actor, filters: Filters): Condition {
  return allOf([
    isReadableAudit(actor),
    anyContains([eb.ref("a.actor_name"), eb.ref("a.actor_subject")], filters.actor),
    given(filters.action, (action) => eb("a.action", "=", action)),
    given(filters.outcome, (outcome) => eb("a.outcome", "=", outcome)),
    given(filters.source, (source) => eb("a.source", "=", source)),
    given(filters.cluster, (cluster) => eb("a.cluster", "=", cluster)),
    given(filters.namespace, (namespace) => eb("a.namespace", "=", namespace)),
    given(filters.name, (name) => eb("a.name", "=", name)),
    given(filters.policy, namesPolicy),
    isInTimeSpan(eb.ref("a.time"), filters),
    filters.rows === "acts" ? isWholeAct : undefined,
    filters.about === "answers" ? isAnswer : undefined,
    given(filters.signIns, (signIns) => eb("a.code", signIns === "only" ? "=" : "<>", "session.signin")),
    hasAuditText(filters.q),
  ]);
}

/**
 * Lists audit entries, newest first. `actor` matches parts of display name and subject; the other filters are exact.
 */
export async function listAudit({ ctx, input }: Call<AuditListQuery>): Promise<ListPage<AuditItem>> {
  const order = auditOrder(input, "-time");
  const query = selectAuditItems.where(() => allOf([isListedAudit(ctx.actor, input), order.isAfter]));
  return readOrdered(ctx.runtime.pool, { query, order, limit: input.limit, toItem: serializeAuditItem });
}
