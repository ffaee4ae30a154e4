import { pathBelow } from "#lib/util/base-path.ts";

/** For machines, which may bypass the Ingress: probes, scrapes, and the hooks of controllers. */
const machinePath = /^\/(?:livez|readyz|status|metrics|hooks)(?:[/?#]|$)/;

export type PlacedRequest = {
  /** The URL without the base path. */
  own: string;
  /** The URL with the base path, as Next expects it. */
  next: string;
};

/**
 * Determines the target of a request, if Gatehouse is served below a path. Probes and hooks answer at the root too: a
 * client that connects directly to the process need not know the path. Undefined: the URL is not below the base path.
 */
export function placeRequest(url: string, basePath: string): PlacedRequest | undefined {
  // Most installations have no base path; every URL then stays untouched.
  if (basePath === "") return { own: url, next: url };
  const own = pathBelow(url, basePath);
  if (own !== undefined) return { own, next: url };
  return machinePath.test(url) ? { own: url, next: `${basePath}${url}` } : undefined;
}
