import type { GateName } from "./hook-types.ts";

/** `rollback` counts at the gate of that name only, `approve` at the other three, and `hold` at all of them. */
export type GateVerdict = "approve" | "hold" | "rollback";

/** What a decision is bound to: it counts only while all of these are still the canary's own. */
export type GateBinding = {
  /** Of the run, as Flagger sends it: see `computeChecksum`. Needed at every gate but `confirm-rollout`. */
  checksum?: string | undefined;
  /** Of the target's live pod template: see `hashPodTemplate`. Needed at `confirm-rollout`. */
  templateHash?: string | undefined;
  /** Percent of traffic that `confirm-traffic-increase` may reach. Needed there; 100 covers the last question too. */
  upToWeight?: number | undefined;
};

/** A person's word on one gate of one canary. */
export type GateDecision = {
  id: string;
  gate: GateName;
  /** Of the Canary that it was made for: one that is created again is another canary. */
  uid: string;
  verdict: GateVerdict;
  bound: GateBinding;
  isExpired: boolean;
  /** Its run has ended, or somebody withdrew it. */
  isVoided: boolean;
};

/** What decisions are compared with at a call. */
export type BindingFacts = {
  gate: GateName;
  checksum: string | undefined;
  templateHash: string | undefined;
  /** The call carried no checksum: the live pod template stands in for it. */
  byTemplate: boolean;
};

/** Returns whether the decision is about what the call asks for. A binding that is missing matches nothing. */
export function isBoundTo({ bound }: Pick<GateDecision, "bound">, facts: BindingFacts): boolean {
  const { gate, checksum, templateHash, byTemplate } = facts;
  const hasTemplate = bound.templateHash !== undefined && bound.templateHash === templateHash;
  if (gate === "confirm-rollout") return hasTemplate;
  if (bound.checksum === undefined || bound.checksum !== checksum) return false;
  return byTemplate ? hasTemplate : true;
}
