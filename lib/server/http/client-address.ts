/** The address that the nearest proxy, or Next itself, saw. Only for rate limits: a direct client can invent it. */
export function clientAddress(headers: Headers): string {
  return headers.get("x-forwarded-for")?.split(",").at(-1)?.trim() || "unknown";
}
