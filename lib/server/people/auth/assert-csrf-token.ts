import { createHash, timingSafeEqual } from "node:crypto";
import { csrfCookieName } from "#lib/server/people/auth/session-cookie.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";

/**
 * Does next-auth's own CSRF check before our part of the work (next-auth 4.24, core/lib/csrf-token.ts: the cookie holds
 * `token|sha256(token + secret)`, and the form the token). Throws `forbidden`.
 */
export function assertCsrfToken({
  cookies,
  sent,
  secret,
  publicUrl,
}: {
  cookies: Record<string, string | undefined>;
  sent: string | undefined;
  secret: string;
  publicUrl: string;
}): void {
  const [token = "", hash = ""] = (cookies[csrfCookieName(publicUrl)] ?? "").split("|");
  const expected = createHash("sha256").update(`${token}${secret}`).digest("hex");
  if (token !== "" && isSame(hash, expected) && isSame(sent ?? "", token)) return;
  throw new ServiceError("forbidden", "The form's token (csrfToken) is missing or wrong: load the page again.");
}

function isSame(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}
