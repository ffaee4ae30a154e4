import type { RetentionConfig } from "#lib/server/config/config-schema.ts";

/** Tables that lose rows by age, in addition to `measurement`; `at` is the column that makes a row old. */
export const plainTables = [
  { key: "events", table: "kube_event", at: "last_at", id: "uid" },
  // An existing Pod is not old, however long it has run.
  { key: "pods", table: "pod", at: "gone_at", id: "uid" },
] as const satisfies readonly { key: keyof RetentionConfig; table: string; at: string; id: string }[];

/** Returns whole days; undefined for what is kept forever. */
export function daysOf(text: string): number | undefined {
  return text === "never" ? undefined : Number.parseInt(text, 10);
}
