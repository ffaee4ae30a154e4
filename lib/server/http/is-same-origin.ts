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
