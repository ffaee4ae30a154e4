import { type CanaryHook, type GateName, listHooks } from "#lib/domain/flagger/objects/canary-hooks.ts";
import type { CanaryFacts } from "./canary-facts.ts";
import type { CanaryState } from "./find-state.ts";

/** A gate that keeps Flagger from continuing. */
export type WaitingGate = {
  name: GateName;
  /** Whether Gatehouse answers one of its hooks. */
  isOurs: boolean;
  /** The hooks of this gate that other systems answer; all must agree. `host` is empty for an unusable URL. */
  others: { name: string; host: string }[];
};

const gateOf: Partial<Record<CanaryState, GateName>> = {
  "awaiting-start": "confirm-rollout",
  "awaiting-step": "confirm-traffic-increase",
  "awaiting-promotion": "confirm-promotion",
};

/** Returns the gate that a state waits for; null if it waits for none. */
export function findWaitingGate(facts: CanaryFacts, state: CanaryState): WaitingGate | null {
  const name = gateOf[state];
  if (name === undefined) return null;
  const hooks = listHooks(facts.canary).filter(({ type }) => type === name);
  const others = hooks.filter(({ url, type }) => !facts.isOurHook(url, type));
  return { name, isOurs: others.length < hooks.length, others: others.map(describeHook) };
}

/** Never shows the URL: it may contain a secret. */
function describeHook({ name, url }: CanaryHook): { name: string; host: string } {
  return { name, host: URL.canParse(url) ? new URL(url).host : "" };
}
