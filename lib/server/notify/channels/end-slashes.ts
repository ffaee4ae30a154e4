/** Returns an address without the slashes at its end, so that a path can follow. */
export function withoutEndSlashes(url: string): string {
  return url.replace(/(?<!\/)\/+$/, "");
}
