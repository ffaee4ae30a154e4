import { pathBelow } from "#lib/util/base-path.ts";

/** For machines, which may come past the Ingress: probes, scrapes, and the hooks of controllers. */
const machinePath = /^\/(?:livez|readyz|status|metrics|hooks)(?:[/?#]|$)/;

export type PlacedRequest = {
  /** The URL without the base path. */
  own: string;
  /** The URL with the base path, as Next expects it. */
  next: string;
};

/**
 * Determines what a request is for, if Gatehouse is served below a path. Probes and hooks answer at the root too: who
 * comes straight to the process need not know of the path. Undefined: the URL is not below the base path.
 */
export function placeRequest(url: string, basePath: string): PlacedRequest | undefined {
  // Most have none, and their URLs stay untouched, whatever they are.
  if (basePath === "") return { own: url, next: url };
  const own = pathBelow(url, basePath);
  if (own !== undefined) return { own, next: url };
  return machinePath.test(url) ? { own: url, next: `${basePath}${url}` } : undefined;
}
