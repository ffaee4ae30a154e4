/** Places of a release where its controller asks from outside whether to continue, by the controller's own names. */
export const gateNames = ["confirm-rollout", "confirm-traffic-increase", "confirm-promotion", "rollback"] as const;
export type GateName = (typeof gateNames)[number];

/** `rollback` counts at the gate of that name only, `approve` at the other three, and `hold` at all four. */
export type GateVerdict = "approve" | "hold" | "rollback";

/**
 * The state that a decision is bound to: it counts only while all of these are still the canary's own. A hold without
 * any of them counts for every later state.
 */
export type GateBinding = {
  /** Of the run, as the controller sends it. Needed at every gate but `confirm-rollout`. */
  checksum?: string | undefined;
  /** Of the target's live pod template. Needed at `confirm-rollout`. */
  templateHash?: string | undefined;
  /** Percent of traffic that `confirm-traffic-increase` may reach. Needed there; 100 covers the last question too. */
  upToWeight?: number | undefined;
};

/** A person's decision on one gate of one canary. */
export type GateDecision = {
  id: string;
  gate: GateName;
  /** Of the object that it was made for: one that is created again is another one. */
  uid: string;
  verdict: GateVerdict;
  bound: GateBinding;
  isExpired: boolean;
  /** Its run has ended, or it was withdrawn. */
  isVoided: boolean;
  /** A freeze that a person made is in force, and the decision did not override it. */
  isFrozen: boolean;
};
