import type { CanaryAnalysis, CanaryObject } from "#lib/domain/flagger/objects/canary-object.ts";
import { parseDurationMs } from "#lib/util/duration.ts";

/**
 * How Flagger reads a Canary's spec, with its defaults (pkg/apis/flagger/v1beta1/canary.go of fluxcd/flagger 1.44.0).
 */

/** `ABTesting` and `BlueGreen` count iterations; `Canary` raises the weight. */
export type CanaryStrategy = "Canary" | "BlueGreen" | "ABTesting";

/** The provider that has no router: its apex Service always selects the primary. */
const kubernetesProvider = "kubernetes";
const forcedIterations = 10;

/** Returns the analysis; undefined if the spec has none: Flagger then promotes every release unchecked. */
export function analysisOf({ spec }: Pick<CanaryObject, "spec">): CanaryAnalysis | undefined {
  return spec.analysis ?? spec.canaryAnalysis;
}

/** Returns the name of the Deployment, DaemonSet or Service that holds the wanted version. */
export function targetNameOf({ spec }: Pick<CanaryObject, "spec">): string {
  return spec.targetRef.name;
}

/** Returns the name of the workload that Flagger makes for the promoted version; of the target's kind. */
export function primaryNameOf(canary: Pick<CanaryObject, "spec">): string {
  return `${targetNameOf(canary)}-primary`;
}

/** Returns the name of the Service that users call; `<name>-primary` and `<name>-canary` are the others. */
export function apexNameOf(canary: Pick<CanaryObject, "spec">): string {
  return canary.spec.service?.name || targetNameOf(canary);
}

/**
 * Returns the router that Flagger uses. `meshProvider` is the controller's own default; empty if neither is known.
 */
export function routerOf({ spec }: Pick<CanaryObject, "spec">, meshProvider = ""): string {
  return spec.provider || meshProvider;
}

/** Returns whether no traffic can be shifted: all users are on the primary, whatever the status says. */
export function hasNoRouter(canary: Pick<CanaryObject, "spec">, meshProvider?: string): boolean {
  return routerOf(canary, meshProvider) === kubernetesProvider;
}

/** Returns the rounds of a strategy that counts them; 0 for one that raises the weight. */
export function iterationsOf(canary: Pick<CanaryObject, "spec">, meshProvider?: string): number {
  const iterations = Math.max(analysisOf(canary)?.iterations ?? 0, 0);
  return iterations === 0 && hasNoRouter(canary, meshProvider) ? forcedIterations : iterations;
}

/** Derives the strategy (DeploymentStrategy, and advanceCanary for the provider without a router). */
export function strategyOf(canary: Pick<CanaryObject, "spec">, meshProvider?: string): CanaryStrategy {
  if (iterationsOf(canary, meshProvider) === 0) return "Canary";
  const hasMatch = (analysisOf(canary)?.match ?? []).length > 0;
  return hasMatch && !hasNoRouter(canary, meshProvider) ? "ABTesting" : "BlueGreen";
}

/** Returns the failed checks at which Flagger rolls back; at least 1 (GetAnalysisThreshold). */
export function thresholdOf(canary: Pick<CanaryObject, "spec">): number {
  const threshold = analysisOf(canary)?.threshold ?? 0;
  return threshold > 0 ? threshold : 1;
}

/** Returns whether Flagger promotes without any check (SkipAnalysis). */
export function skipsAnalysis(canary: Pick<CanaryObject, "spec">): boolean {
  return canary.spec.skipAnalysis || analysisOf(canary) === undefined;
}

/** Returns the seconds that a workload gets to become ready by Flagger's own clock (GetProgressDeadlineSeconds). */
export function progressDeadlineOf({ spec }: Pick<CanaryObject, "spec">): number {
  return spec.progressDeadlineSeconds ?? 600;
}

/**
 * Returns the seconds between two checks: 60 if the text is empty or no duration, and at least 10
 * (GetAnalysisInterval).
 */
export function intervalSecondsOf(canary: Pick<CanaryObject, "spec">): number {
  const interval = parseDurationMs(analysisOf(canary)?.interval ?? "");
  return interval === undefined ? 60 : Math.max(interval / 1000, 10);
}

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
