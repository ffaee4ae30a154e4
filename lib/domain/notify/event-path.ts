import type { ObjectRef } from "#lib/domain/delivery/object-ref.ts";

/** Returns the path of a rollout's page in the user interface. */
export function pathOfRollout({ cluster, namespace, kind, name }: ObjectRef): string {
  return `/rollouts/${[cluster, namespace, kind, name].map(encodeURIComponent).join("/")}`;
}

/** Returns the address of a path in the user interface; a path that would lead elsewhere becomes the front page. */
export function linkTo(publicUrl: string, path: string): string {
  const base = publicUrl.replace(/(?<!\/)\/+$/, "");
  return /^\/(?!\/)/.test(path) && !path.includes("\\") ? `${base}${path}` : `${base}/`;
}
