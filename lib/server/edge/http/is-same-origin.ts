/**
 * Returns whether a browser sent this from one of our own pages: by Fetch Metadata, else by Origin. A request with
 * neither header does not come from a supported browser, and a cookie by itself proves nothing.
 */
export function isSameOrigin({ headers, publicUrl }: { headers: Headers; publicUrl: string }): boolean {
  const site = headers.get("sec-fetch-site");
  if (site !== null) return site === "same-origin";
  const origin = headers.get("origin");
  return origin !== null && origin === new URL(publicUrl).origin;
}

/**
 * Returns whether a browser sent this from a page that is not ours. False for a typed address, and for a request with
 * neither header: browsers send a GET without an Origin.
 */
export function isForeignOrigin({ headers, publicUrl }: { headers: Headers; publicUrl: string }): boolean {
  if (headers.get("sec-fetch-site") === "none") return false;
  const isUnsaid = !headers.has("sec-fetch-site") && !headers.has("origin");
  return !isUnsaid && !isSameOrigin({ headers, publicUrl });
}
