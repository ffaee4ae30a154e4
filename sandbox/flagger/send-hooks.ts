import { parseDurationMs } from "#lib/util/duration.ts";
import { hashText } from "#sandbox/controllers/template-hash.ts";
import { analysisOf, type Canary, type CanaryStatus, type HookType, type Phase, type Webhook } from "./canary-types.ts";
import type { FlaggerContext } from "./flagger-context.ts";

const DEFAULT_TIMEOUT_MS = 10_000;

/** Calls a hook; returns undefined if it passes, else the error's text (pkg/controller/webhook.go CallWebhook). */
export function callHook(
  { hooks }: FlaggerContext,
  canary: Canary,
  { phase, webhook }: { phase: Phase; webhook: Webhook },
): Promise<string | undefined> {
  const { metadata } = webhook;
  return call(hooks, webhook, { ...payloadOf(canary, phase), ...(isEmpty(metadata) ? {} : { metadata }) });
}

/** Returns the hooks of a type, in order. */
export function hooksOf(canary: Canary, ...types: HookType[]): Webhook[] {
  return (analysisOf(canary).webhooks ?? []).filter(({ type = "" }) => types.includes(type));
}

export type Announcement = { message: string; isWarning?: boolean };

/**
 * Records a Kubernetes Event and tells the event hooks (pkg/controller/events.go). The payload's phase is that of the
 * Canary as it is passed.
 */
export async function announce(
  context: FlaggerContext,
  canary: Canary,
  { message, isWarning = false }: Announcement,
): Promise<void> {
  const { metadata } = canary;
  const about = { apiVersion: "flagger.app/v1beta1", kind: "Canary", metadata };
  context.events.emit(about, { reason: "Synced", message, isWarning });
  for (const webhook of hooksOf(canary, "event")) {
    const eventMetadata = {
      ...webhook.metadata,
      eventMessage: message,
      eventType: isWarning ? "Warning" : "Normal",
      timestamp: String(context.clock.now()),
    };
    const payload = { ...payloadOf(canary, canary.status.phase), metadata: eventMetadata };
    const error = await call(context.hooks, webhook, payload);
    if (error !== undefined) {
      context.log(`Flagger could not send an event of ${metadata.namespace}/${metadata.name}: ${error}`);
    }
  }
}

function payloadOf({ metadata, status }: Canary, phase: Phase) {
  return { name: metadata.name, namespace: metadata.namespace, phase, checksum: computeChecksum(status) };
}

async function call(
  hooks: FlaggerContext["hooks"],
  { url, timeout = "", retries = 0 }: Webhook,
  payload: Record<string, unknown>,
): Promise<string | undefined> {
  const timeoutMs = timeout.length < 2 ? DEFAULT_TIMEOUT_MS : parseDurationMs(timeout);
  if (!URL.canParse(url)) {
    return `parse ${JSON.stringify(url)}: invalid URI for request`;
  }
  if (timeoutMs === undefined) {
    return `time: invalid duration ${JSON.stringify(timeout)}`;
  }
  const answer = await hooks({ url, payload, timeoutMs, retries });
  return answer.isPassed ? undefined : answer.error;
}

function isEmpty(metadata: Webhook["metadata"]): boolean {
  return metadata === undefined || Object.keys(metadata).length === 0;
}

/**
 * Computes the checksum of a hook's payload (pkg/controller/webhook.go canaryChecksum of flagger 1.44.0): FNV-32a of
 * the dump that go-spew writes of the tracked configs and the last applied spec. Absent and empty configs differ.
 */
export function computeChecksum({
  trackedConfigs,
  lastAppliedSpec = "",
}: Pick<CanaryStatus, "trackedConfigs" | "lastAppliedSpec">): string {
  const entries = Object.entries(trackedConfigs ?? {}).sort(([left], [right]) => (left < right ? -1 : 1));
  const map = `map[${entries.map(([name, hash]) => `${name}:${hash}`).join(" ")}]`;
  const configs = `(*map[string]string)${trackedConfigs === undefined ? "<nil>" : map}`;
  const type = "(struct { TrackedConfigs *map[string]string; LastAppliedSpec string })";
  return hashText(`${type}{TrackedConfigs:${configs} LastAppliedSpec:(string)${lastAppliedSpec}}`);
}
