import type { RetentionConfig } from "#lib/server/platform/config/config-schema.ts";
import type { Tables } from "#lib/server/platform/db/generated/tables.ts";

/** A table that loses rows by age: `at` is the column that makes a row old, `id` the columns of its key. */
export type AgingTable = { table: keyof Tables; at: string; id: readonly string[] };

type Column<Table extends keyof Tables> = string & keyof Tables[Table];

function aging<Table extends keyof Tables>(table: Table, columns: { at: Column<Table>; id: readonly Column<Table>[] }) {
  return { table, ...columns } satisfies AgingTable;
}

/** Tables that lose rows by age, in addition to `measurement`. */
export const plainTables = [
  { key: "events", ...aging("kube_event", { at: "last_at", id: ["uid"] }) },
  // An existing Pod is not old, however long it has run.
  { key: "events", ...aging("pod", { at: "gone_at", id: ["uid"] }) },
  { key: "hookCalls", ...aging("hook_call", { at: "at", id: ["id"] }) },
  { key: "kubernetesAudit", ...aging("kubernetes_audit_event", { at: "received_at", id: ["id"] }) },
  { key: "samples", ...aging("rollout_sample", { at: "at", id: ["rollout_id", "what", "metric", "at"] }) },
  {
    key: "samples",
    ...aging("controller_sample", { at: "at", id: ["cluster", "component", "at", "series", "labels"] }),
  },
  { key: "events", ...aging("controller_message", { at: "received_at", id: ["id"] }) },
  // Notifications that are still to be sent are not old.
  { key: "notifications", ...aging("notification", { at: "ended_at", id: ["id"] }) },
  { key: "notifications", ...aging("notifiable_event", { at: "planned_at", id: ["id"] }) },
] as const satisfies readonly (AgingTable & { key: keyof RetentionConfig })[];

/** Returns whole days; undefined for `never`, which keeps rows forever. */
export function daysOf(text: string): number | undefined {
  return text === "never" ? undefined : Number.parseInt(text, 10);
}
