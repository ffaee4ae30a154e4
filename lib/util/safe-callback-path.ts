import { basePathOf, pathBelow } from "#lib/util/base-path.ts";

/** Encoded forms that a server may decode to a slash, a backslash or a control character, or to another encoded one. */
const encodedTricks = /%(?:2f|5c|25|[01][0-9a-f]|7f)/i;
const notPages = /^\/(?:api|hooks|_next|signin|livez|mcp|readyz|status|metrics)(?:\/|$)/;

/**
 * Returns a path of this Gatehouse to open after signing in, without the base path. A target that is a path has none
 * either; one that is a whole address has it. Returns `/` for anything else: other origins, `//host`, backslashes,
 * control characters, their encoded forms, the API. Client and server share this rule.
 */
export function safeCallbackPath(target: string | null | undefined, publicUrl: string): string {
  const origin = new URL(publicUrl).origin;
  if (target === null || target === undefined || !URL.canParse(target, origin)) return "/";
  // Browsers drop control characters and read a backslash as a slash, so the text that we check could lead elsewhere.
  if (/[\\\p{Cc}]/u.test(target)) return "/";
  const url = new URL(target, origin);
  if (url.origin !== origin || url.pathname.includes("//") || encodedTricks.test(url.pathname)) return "/";
  const pathname = URL.canParse(target) ? pathBelow(url.pathname, basePathOf(publicUrl)) : url.pathname;
  if (pathname === undefined || notPages.test(decode(pathname))) return "/";
  return `${pathname}${url.search}${url.hash}`;
}

function decode(pathname: string): string {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return "/api";
  }
}
