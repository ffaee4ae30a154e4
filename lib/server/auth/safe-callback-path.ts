/**
 * A path of our own pages to go to after signing in; `/` for anything else: other origins, `//host`, backslashes,
 * control characters, the API.
 */
export function safeCallbackPath(target: string | null | undefined, publicUrl: string): string {
  const origin = new URL(publicUrl).origin;
  if (target === null || target === undefined || !URL.canParse(target, origin)) return "/";
  // Browsers drop control characters and read a backslash as a slash, so a checked text could mean another place.
  if (/[\\\p{Cc}]/u.test(target)) return "/";
  const url = new URL(target, origin);
  if (url.origin !== origin || url.pathname.startsWith("//")) return "/";
  if (/^\/(api|hooks|_next|signin)(\/|$)/.test(url.pathname)) return "/";
  return `${url.pathname}${url.search}${url.hash}`;
}
