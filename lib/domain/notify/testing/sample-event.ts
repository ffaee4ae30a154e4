import { stableUuid } from "#lib/domain/delivery/rollout-id.ts";
import type { Matter, NotifiableEvent } from "#lib/domain/notify/notifiable-event.ts";

/** Returns an event of the rollout `prod/shop/Rollout/web`; `key` tells several apart. */
export function sampleEvent(key: string, change: Partial<NotifiableEvent> = {}): NotifiableEvent {
  return {
    id: stableUuid("sample", key),
    kind: "waiting",
    severity: "info",
    target: { cluster: "prod", namespace: "shop", kind: "Rollout", name: "web" },
    title: "Waits for a person",
    sentence: "shop/web waits for a person.",
    facts: [{ label: "Step", value: "2 of 5" }],
    path: "/rollouts/prod/shop/Rollout/web",
    at: "2026-11-23T10:00:00.000Z",
    ...change,
  };
}

/** Returns the target of a rollout of that name. */
export function targetOf(name: string): NotifiableEvent["target"] {
  return { cluster: "prod", namespace: "shop", kind: "Rollout", name };
}

/** Returns an event that begins a wait. */
export function sampleMatter(
  key: string,
  change: Partial<NotifiableEvent> = {},
  matter: Partial<Matter> = {},
): NotifiableEvent {
  const event = sampleEvent(key, change);
  const rolloutId = stableUuid("rollout", key);
  return {
    ...event,
    matter: {
      ...{ id: stableUuid("matter", key), rolloutId, cause: "pause", version: "v2.3.0", since: event.at },
      ...matter,
    },
  };
}
