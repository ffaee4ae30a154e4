import { type Expression, type SqlBool, sql } from "kysely";
import { type Actor, actorKey } from "#lib/server/platform/actor/actor.ts";
import { type Columns, fragment, tables, toColumn } from "#lib/server/platform/db/tables.ts";

const eb = fragment<{ r: "rollout" }>();

/**
 * Selects the mark `k` of this kind on rollout `r`, if the rollout still waits for the same. The kind is not bound: the
 * inbox selects its rank and sorts by it, and PostgreSQL evaluates equal texts once.
 */
export function markOfWait(kind: Column.WaitMarkKind) {
  return eb
    .selectFrom("wait_mark as k")
    .whereRef("k.rollout_id", "=", "r.id")
    .where("k.kind", "=", sql.lit(kind))
    .whereRef("k.attention_reason", "=", "r.attention_reason")
    .whereRef("k.attention_since", "=", "r.attention_since");
}

/** Acknowledged in exactly the current state of rollout `r`: a state that it left and returned to counts as another. */
export const acknowledgementInForce = markOfWait("acknowledgement").whereRef("k.view_digest", "=", "r.view_digest");

type Mark = {
  kind: Column.WaitMarkKind;
  rolloutId: string;
  actor: Actor;
  /** Null for a mark without an end. */
  until: Expression<Date | null>;
  /** Null for a claim. */
  reason: string | null;
  /** The claim's id. */
  id?: string;
  /** Whether rollout `r` is still in the state that was judged. */
  isSame: Expression<SqlBool>;
  /** Whether the stored `wait_mark` may be replaced by the one that is `excluded`; it may be if undefined. */
  mayReplace?: Expression<SqlBool>;
  /** Whether the mark that is replaced goes on. */
  isExtended?: boolean;
};

/**
 * Builds the statement that stores a mark with the rollout's state, in place of an earlier one of its kind. The state is
 * checked in the same statement: nothing is written if it has changed unseen.
 */
export function storeMark({ kind, rolloutId, actor, until, reason, id, isSame, mayReplace, isExtended }: Mark) {
  return tables
    .insertInto("wait_mark")
    .columns([
      ...(["view_digest", "attention_reason", "attention_since", "attention_severity", "revision_key"] as const),
      ...(["rollout_id", "kind", "id", "until", "reason", "marked_by", "marked_by_name"] as const),
    ])
    .expression(({ cast, selectFrom, val }) =>
      selectFrom("rollout as r")
        .select(({ ref }) => [
          "r.view_digest",
          ref("r.attention_reason").$notNull().as("attention_reason"),
          ref("r.attention_since").$notNull().as("attention_since"),
          "r.attention_severity",
          "r.revision_key",
          "r.id as rollout_id",
          val(kind).as("kind"),
          cast<string | null>(val(id ?? null), "uuid").as("id"),
          cast<Date | null>(until, "timestamptz").as("until"),
          val(reason === null ? null : toColumn(reason)).as("reason"),
          val(toColumn(actorKey(actor))).as("by"),
          val(toColumn(actor.name)).as("by_name"),
        ])
        .where("r.id", "=", rolloutId)
        .where(isSame),
    )
    .onConflict((conflict) =>
      conflict
        .columns(["rollout_id", "kind"])
        .doUpdateSet(
          ({ ref }) =>
            ({
              view_digest: ref("excluded.view_digest"),
              attention_reason: ref("excluded.attention_reason"),
              attention_since: ref("excluded.attention_since"),
              attention_severity: ref("excluded.attention_severity"),
              revision_key: ref("excluded.revision_key"),
              id: ref("excluded.id"),
              until: ref("excluded.until"),
              reason: ref("excluded.reason"),
              marked_by: ref("excluded.marked_by"),
              marked_by_name: ref("excluded.marked_by_name"),
              marked_at: isExtended === true ? ref("wait_mark.marked_at") : ref("excluded.marked_at"),
            }) satisfies Columns<"wait_mark">,
        )
        // Judged by the current row, even if another transaction has changed it.
        .where(mayReplace ?? sql.lit(true)),
    );
}
