import type { ObjectRef } from "#lib/domain/delivery/object-ref.ts";

function segments({ cluster, namespace, kind, name }: ObjectRef): string {
  return [cluster, namespace, kind, name].map(encodeURIComponent).join("/");
}

/** Returns the API path of a rollout. */
export function rolloutApiPath(rollout: ObjectRef): string {
  return `/api/v1/rollouts/${segments(rollout)}`;
}

/** Returns the path of a rollout's page. */
export function rolloutHref(rollout: ObjectRef, tab?: string): string {
  const path = `/rollouts/${segments(rollout)}`;
  return tab === undefined ? path : `${path}?tab=${tab}`;
}

/** Returns the path of a rollout's logs; `at` (ISO 8601) is the moment that they are about. */
export function logsHref(rollout: ObjectRef, at?: string): string {
  return `${rolloutHref(rollout, "logs")}${at === undefined ? "" : `&at=${encodeURIComponent(at)}`}`;
}

export function runHref(uid: string): string {
  return `/analysis-runs/${encodeURIComponent(uid)}`;
}

/** Returns the path of a release's page; `at` (ISO 8601) is the moment that it shows. */
export function releaseHref(id: string, at?: string): string {
  const path = `/releases/${encodeURIComponent(id)}`;
  return at === undefined ? path : `${path}?at=${encodeURIComponent(at)}`;
}

export function experimentHref(uid: string): string {
  return `/experiments/${encodeURIComponent(uid)}`;
}

export function auditHref(seq: number): string {
  return `/audit/${seq}`;
}
