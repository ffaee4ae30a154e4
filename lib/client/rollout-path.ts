import type { RolloutKind } from "#lib/contract/common.ts";

export type RolloutName = { cluster: string; namespace: string; kind: RolloutKind | string; name: string };

function segments({ cluster, namespace, kind, name }: RolloutName): string {
  return [cluster, namespace, kind, name].map(encodeURIComponent).join("/");
}

/** The API path of a rollout. */
export function rolloutApiPath(rollout: RolloutName): string {
  return `/api/v1/rollouts/${segments(rollout)}`;
}

/** The page of a rollout. */
export function rolloutHref(rollout: RolloutName, tab?: string): string {
  const path = `/rollouts/${segments(rollout)}`;
  return tab === undefined ? path : `${path}?tab=${tab}`;
}

export function runHref(uid: string): string {
  return `/analysis-runs/${encodeURIComponent(uid)}`;
}

export function experimentHref(uid: string): string {
  return `/experiments/${encodeURIComponent(uid)}`;
}

export function auditHref(seq: number): string {
  return `/audit/${seq}`;
}

/** `cluster/namespace/Kind/name` taken apart; undefined where the text has another shape. */
export function parseRolloutId(id: string): RolloutName | undefined {
  const [cluster, namespace, kind, name, ...rest] = id.split("/");
  if (!cluster || !namespace || !kind || !name || rest.length > 0) return undefined;
  return { cluster, namespace, kind, name };
}

/** The `id` of a rollout as the contract writes it. */
export function formatRolloutId({ cluster, namespace, kind, name }: RolloutName): string {
  return `${cluster}/${namespace}/${kind}/${name}`;
}
