import type { GateDecision, GateName } from "#lib/domain/delivery/gate-decision.ts";

/** What decisions are compared with at a call. */
export type BindingFacts = {
  gate: GateName;
  /** Of the run; see `computeChecksum`. */
  checksum: string | undefined;
  /** Of the target's live pod template; see `hashPodTemplate`. */
  templateHash: string | undefined;
  /** The call carried no checksum: the live pod template stands in for it. */
  byTemplate: boolean;
};

/**
 * Returns whether the decision is about what the call asks for. A binding that is missing matches nothing, except for a
 * hold: one that is bound to nothing holds everything.
 */
export function isBoundTo({ bound, verdict }: Pick<GateDecision, "bound" | "verdict">, facts: BindingFacts): boolean {
  const { gate, checksum, templateHash, byTemplate } = facts;
  if (verdict === "hold" && bound.checksum === undefined && bound.templateHash === undefined) return true;
  const hasTemplate = bound.templateHash !== undefined && bound.templateHash === templateHash;
  if (gate === "confirm-rollout") return hasTemplate;
  if (bound.checksum === undefined || bound.checksum !== checksum) return false;
  return byTemplate ? hasTemplate : true;
}
