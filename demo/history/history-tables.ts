import type { Tables } from "#lib/server/platform/db/generated/tables.ts";

/**
 * The tables of the packed history, each after those that it refers to. Left out is what belongs to a running
 * installation: accounts, sessions, sources, leases, notifications, samples and the change log.
 */
export const historyTables = [
  ...(["cluster", "recorded_part", "rollout", "replica_set", "pod"] as const),
  ...(["analysis_template", "analysis_template_version", "kube_event", "observation", "release"] as const),
  ...(["release_wait", "timeline_event", "analysis_run", "metric", "measurement", "packed_measurement"] as const),
  ...(["measurement_gap"] as const),
  ...(["evidence", "audit_entry", "action", "approval", "freeze_period", "termination"] as const),
  ...(["unasked_change", "kubernetes_audit_event", "finding", "rollout_review"] as const),
] satisfies (keyof Tables)[];

export type HistoryTable = (typeof historyTables)[number];

/** The tables whose ids are numbers of a sequence, and the column. */
export const numberedTables = {
  ...{ observation: "id", metric: "id", kubernetes_audit_event: "id" },
} as const satisfies Partial<Record<HistoryTable, string>>;
