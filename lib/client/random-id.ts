/**
 * Returns 128 random bits as hex. `crypto.randomUUID` exists only in secure contexts; this also works over plain HTTP.
 */
export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
