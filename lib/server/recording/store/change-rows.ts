import type { PoolClient } from "pg";
import { prepareInsert } from "#lib/server/platform/db/prepare-insert.ts";

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
    | "rollout-events"
    | "finding";
  ref: string;
  op: "upsert" | "delete";
  cluster: string;
  namespace: string;
  /** Kind of what `name` names. */
  object_kind: string | null;
  /**
   * Name of the rollout that owns it, or of the top owner if that is not a rollout. Null if it has no owner or the
   * owner is unknown.
   */
  name: string | null;
};

const insert = prepareInsert({
  table: "change_log",
  columns: {
    kind: "text",
    ref: "text",
    op: "text",
    cluster: "text",
    namespace: "text",
    object_kind: "text",
    name: "text",
  },
});

/** Inserts the changes, each once. The table's trigger wakes the readers once per transaction. */
export async function writeChanges(tx: PoolClient, changes: readonly ChangeRow[]): Promise<void> {
  await insert(tx, [...new Map(changes.map((change) => [`${change.kind} ${change.ref}`, change])).values()]);
}
