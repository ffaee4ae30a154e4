import { decode } from "next-auth/jwt";
import { basePathOf } from "#lib/util/base-path.ts";

export function isSecureUrl(publicUrl: string): boolean {
  return publicUrl.startsWith("https:");
}

/**
 * Returns the name of one of our cookies. Over https, `__Host-` makes browsers require Secure, Path=/ and no Domain, so
 * that no sibling domain can set them; on plain http browsers refuse it. Cookies of several Gatehouses on one host differ
 * by the path in their names: next-auth takes each cookie whose name begins with the session cookie's for a part of it.
 */
export function cookieName(publicUrl: string, name: string): string {
  return `${isSecureUrl(publicUrl) ? "__Host-" : ""}gatehouse${basePathOf(publicUrl).replaceAll("/", "~")}.${name}`;
}

export function sessionCookieName(publicUrl: string): string {
  return cookieName(publicUrl, "session");
}

export function csrfCookieName(publicUrl: string): string {
  return cookieName(publicUrl, "csrf");
}

/** Reads the session id from the sign-in cookie; undefined if it is forged, damaged or too old. */
export async function readSessionId({
  cookie,
  secret,
}: {
  cookie: string | undefined;
  secret: string;
}): Promise<string | undefined> {
  if (cookie === undefined || cookie === "") return undefined;
  try {
    const token = await decode({ token: cookie, secret });
    return typeof token?.sid === "string" ? token.sid : undefined;
  } catch {
    return undefined;
  }
}
