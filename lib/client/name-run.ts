import type { AnalysisRunSummary } from "#lib/contract/analysis-run.ts";

type Named = Pick<AnalysisRunSummary, "name" | "revision" | "type" | "stepIndex"> & {
  rollout: { namespace: string; name: string } | null;
};

/** Names a run for people: `payments/checkout, revision 12, step 4`; by its own name if no rollout owns it. */
export function nameRun({ name, rollout, revision, type, stepIndex }: Named): string {
  if (rollout === null) return name;
  const parts = [`${rollout.namespace}/${rollout.name}`];
  if (revision !== null) parts.push(`revision ${revision}`);
  if (type === "Step" && stepIndex !== null) parts.push(`step ${stepIndex + 1}`);
  else if (type === "Background") parts.push("background");
  return parts.join(", ");
}
