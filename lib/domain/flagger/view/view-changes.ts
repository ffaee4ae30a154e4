import type { ViewChange } from "#lib/domain/delivery/view-change.ts";
import type { CanaryDecisionView } from "./view-digest.ts";

type Field = keyof CanaryDecisionView;

/** The path of each field, and its words: the most important first. */
const fields: readonly (readonly [field: Field, path: string, words: string])[] = [
  ["uid", "metadata.uid", "The object itself (deleted and created again)"],
  ["phase", "status.phase", "The phase"],
  ["lastAppliedSpec", "status.lastAppliedSpec", "The revision"],
  ["trackedConfigs", "status.trackedConfigs", "The tracked ConfigMaps and Secrets"],
  ["gate", "spec.analysis.webhooks", "The gate that may wait"],
  ["weight", "status.canaryWeight", "The weight"],
  ["thresholdReached", "status.failedChecks", "Whether enough checks failed for a rollback"],
  ["suspend", "spec.suspend", "Whether it is suspended"],
  ["skipAnalysis", "spec.skipAnalysis", "Whether the analysis is skipped"],
  ["spec", "spec", "The spec"],
];

/**
 * Lists the differences between the view that a person saw and the present one. If `seen` is unknown, every field with
 * a value now.
 */
export function diffCanaryViews(seen: CanaryDecisionView | undefined, now: CanaryDecisionView): ViewChange[] {
  return fields.flatMap(([field, path, words]) => {
    const after = now[field];
    const before = seen === undefined ? null : seen[field];
    if (JSON.stringify(before) === JSON.stringify(after)) return [];
    // `suspend` and `skipAnalysis` are part of the spec too, and already listed.
    if (field === "spec" && seen !== undefined && changesListedField(seen, now)) return [];
    return [{ field: path, seen: before, now: after, text: `${words}: ${formatChange(field, before, after)}.` }];
  });
}

function changesListedField(seen: CanaryDecisionView, now: CanaryDecisionView): boolean {
  return seen.suspend !== now.suspend || seen.skipAnalysis !== now.skipAnalysis;
}

function formatChange(field: Field, before: unknown, after: unknown): string {
  if (field === "spec" || field === "trackedConfigs") return before === null ? "not known to be unchanged" : "changed";
  return before === null ? format(after) : `was ${format(before)}, is ${format(after)}`;
}

function format(value: unknown): string {
  if (value === null || value === "") return "none";
  if (typeof value === "boolean") return value ? "yes" : "no";
  return typeof value === "number" ? `${value} %` : String(value);
}
