import type { PoolClient } from "pg";
import { insertRows } from "./insert-rows.ts";

/**
 * One line of the change log: tells readers what to fetch again. Rollouts and templates are named
 * `cluster/namespace/Kind/name`, runs and Experiments by uid; `rollout-pods` and `rollout-events` carry their rollout.
 */
export type ChangeRow = {
  kind:
    | "rollout"
    | "analysis-run"
    | "release"
    | "action"
    | "source"
    | "experiment"
    | "template"
    | "rollout-pods"
    | "rollout-events";
  ref: string;
  op: "upsert" | "delete";
  cluster: string;
  namespace: string;
  /**
   * Of the rollout it belongs to, or the top owner where that is none; null where nobody owns it, or nobody knows who.
   */
  name: string | null;
};

/** Inserting wakes the readers once per transaction, by the table's trigger. The same change is written once. */
export async function writeChanges(tx: PoolClient, changes: readonly ChangeRow[]): Promise<void> {
  const rows = [...new Map(changes.map((change) => [`${change.kind} ${change.ref}`, change])).values()];
  await insertRows(tx, {
    table: "change_log",
    columns: { kind: "text", ref: "text", op: "text", cluster: "text", namespace: "text", name: "text" },
    rows,
    onConflict: "",
  });
}
