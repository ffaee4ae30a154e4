import { z } from "zod";
import { type GateName, gateNames } from "#lib/domain/delivery/gate-decision.ts";
import { optional } from "#lib/domain/kube/kube-object.ts";

const Text = z.string().max(10_000);
/** A name as Kubernetes allows it; dots are part of some. */
const Name = z.string().regex(/^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/);

/** The body of a hook call: `CanaryWebhookPayload` of pkg/apis/flagger/v1beta1/canary.go. Unknown fields are ignored. */
const HookPayload = z.looseObject({
  name: Name,
  namespace: Name,
  phase: optional(Text),
  /** Absent before Flagger 1.34. */
  checksum: optional(Text),
  metadata: optional(z.record(z.string(), z.unknown())),
});

export type HookPayload = {
  name: string;
  namespace: string;
  /** Of an event: the phase before the transition that its message announces. */
  phase: string;
  checksum: string | undefined;
};

/** The additional fields of an event call. The other keys of its metadata are the hook's own, and free text. */
export type EventPayload = HookPayload & {
  message: string;
  /** As the controller writes it: `Normal` or `Warning`. */
  type: string;
  /** Milliseconds since 1970 by the controller's clock. */
  controllerTimeMs: number;
};

/** Parses the body of a call; undefined if it does not have Flagger's format. */
export function parseHookPayload(body: unknown): HookPayload | undefined {
  const parsed = HookPayload.safeParse(body);
  if (!parsed.success) return undefined;
  const { name, namespace, phase = "", checksum } = parsed.data;
  return { name, namespace, phase, checksum: checksum === "" ? undefined : checksum };
}

const EventMetadata = z.looseObject({
  eventMessage: z.string().min(1).max(50_000),
  eventType: z.string().min(1).max(100),
  timestamp: z.string().regex(/^\d{1,13}$/),
});

/** Parses the body of an event call; see `CallEventWebhook` of pkg/controller/webhook.go. */
export function parseEventPayload(body: unknown): EventPayload | undefined {
  const payload = parseHookPayload(body);
  if (payload === undefined) return undefined;
  const metadata = EventMetadata.safeParse((body as { metadata?: unknown }).metadata);
  if (!metadata.success) return undefined;
  const { eventMessage, eventType, timestamp } = metadata.data;
  return { ...payload, message: eventMessage, type: eventType, controllerTimeMs: Number(timestamp) };
}

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
