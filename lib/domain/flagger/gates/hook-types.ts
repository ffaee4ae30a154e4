import { type GateName, gateNames } from "#lib/domain/delivery/gate-decision.ts";

/**
 * Webhook types that Gatehouse only listens to. A refusal of `pre-rollout` or `rollout` would count as a failed check
 * and roll a healthy canary back.
 */
const observedTypes = ["pre-rollout", "rollout", "post-rollout", "event"] as const;

/** Gates advance or end a run if they are answered with 2xx: a person decides on them. */
export type HookType = GateName | (typeof observedTypes)[number];

const hookTypes: readonly string[] = [...gateNames, ...observedTypes];

export function isHookType(text: string): text is HookType {
  return hookTypes.includes(text);
}

export function isGate(type: HookType): type is GateName {
  return gateNames.some((gate) => gate === type);
}
