/**
 * Whether a browser sent this from one of our own pages: by Fetch Metadata, else by Origin. A request that carries
 * neither does not come from a browser that we support, and a cookie alone proves nothing.
 */
export function isSameOrigin({ headers, publicUrl }: { headers: Headers; publicUrl: string }): boolean {
  const site = headers.get("sec-fetch-site");
  if (site !== null) return site === "same-origin";
  const origin = headers.get("origin");
  return origin !== null && origin === new URL(publicUrl).origin;
}

/**
 * Whether a browser sent this from a page that is not ours. A person who types an address is none, nor is a request that
 * carries neither word: for a GET, which a browser sends without an Origin.
 */
export function isForeignOrigin({ headers, publicUrl }: { headers: Headers; publicUrl: string }): boolean {
  if (headers.get("sec-fetch-site") === "none") return false;
  const isUnsaid = !headers.has("sec-fetch-site") && !headers.has("origin");
  return !isUnsaid && !isSameOrigin({ headers, publicUrl });
}
