import type { FactRun } from "#lib/domain/oversight/rollout-facts.ts";
import type { Evidence } from "#lib/domain/oversight/rule.ts";

const titles: Readonly<Record<FactRun["type"], string>> = {
  Step: "Step analysis",
  Background: "Background analysis",
  PrePromotion: "Pre-promotion analysis",
  PostPromotion: "Post-promotion analysis",
  Experiment: "An experiment's analysis",
  Manual: "Analysis",
  Release: "Release analysis",
};

/** Formats "Step analysis" or "Step analysis of step 3". */
export function describeRun({ type, stepIndex }: Pick<FactRun, "type" | "stepIndex">): string {
  return type === "Step" && stepIndex !== null ? `${titles[type]} of step ${stepIndex + 1}` : titles[type];
}

/** Returns the run itself as evidence. */
export function evidenceOfRun(run: Pick<FactRun, "uid" | "name" | "phase" | "completedAt">): Evidence[] {
  const { uid, name, phase, completedAt } = run;
  const value = `${name}: ${phase}`;
  return [{ label: "Run", value, ...(completedAt === null ? {} : { at: completedAt }), link: { to: "run", uid } }];
}
