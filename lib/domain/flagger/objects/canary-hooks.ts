import type { CanaryObject } from "#lib/domain/flagger/objects/canary-object.ts";
import { analysisOf } from "#lib/domain/flagger/objects/canary-spec.ts";

/** A webhook that stops Flagger until it answers yes; the type of the hook is the gate's name. */
export type GateName = "confirm-rollout" | "confirm-traffic-increase" | "confirm-promotion";

/** `type` as Flagger reads it, kept verbatim if it is an unknown word. `url` may contain a secret. */
export type CanaryHook = { name: string; type: string; url: string };

/** Whether Gatehouse answers a hook's calls. */
export type IsOurHook = (url: string, type: string) => boolean;

/** Lists the webhooks in their order. One without a type is of type `rollout` (runAnalysis in scheduler.go). */
export function listHooks(canary: Pick<CanaryObject, "spec">): CanaryHook[] {
  return (analysisOf(canary)?.webhooks ?? []).map(({ name, type, url }) => ({ name, type: type || "rollout", url }));
}

/**
 * Makes the predicate for the hooks that Gatehouse answers for a cluster: the path contains
 * `/hooks/flagger/<cluster>/<type>` as whole segments. A text that is no URL is not ours.
 */
export function recogniseHooksOf(cluster: string): IsOurHook {
  return (url, type) => {
    if (!URL.canParse(url)) return false;
    const path = `${new URL(url).pathname}/`;
    return path.includes(`/hooks/flagger/${encodeURIComponent(cluster)}/${encodeURIComponent(type)}/`);
  };
}
