import type { EffectFacts, StoredEffect } from "#lib/domain/acting/effect.ts";
import type { Provider } from "#lib/domain/delivery/provider.ts";
import { providerOfAction } from "#lib/domain/providers.ts";
import { StoredPlan } from "#lib/server/records/action-store.ts";

/** Reads the effect that an action waits for. Returns undefined if it was not recorded, or cannot be read. */
export function readStoredEffect(
  plan: unknown,
): { provider: Provider; effect: StoredEffect; facts: EffectFacts; plan: StoredPlan } | undefined {
  const stored = StoredPlan.safeParse(plan).data;
  if (stored?.expectedEffect === undefined) return undefined;
  const provider = providerOfAction(stored.provider);
  const facts = provider?.acting.readEffect(stored.expectedEffect);
  if (provider === undefined || facts === undefined) return undefined;
  return { provider, effect: stored.expectedEffect, facts, plan: stored };
}
