import type { RetentionConfig } from "#lib/server/config/config-schema.ts";

/** Tables that lose rows because of their age, beside `measurement`; `at` is what makes a row old. */
export const plainTables = [
  { key: "events", table: "kube_event", at: "last_at", id: "uid" },
  // A Pod that is there is not old, however long it has run.
  { key: "pods", table: "pod", at: "gone_at", id: "uid" },
] as const satisfies readonly { key: keyof RetentionConfig; table: string; at: string; id: string }[];

/** Whole days; undefined for what is kept for ever. */
export function daysOf(text: string): number | undefined {
  return text === "never" ? undefined : Number.parseInt(text, 10);
}
