const plainUrl = /^https?:\/\/[^/?#\s]+\/?$/i;
const urlBelowPath = /^https?:\/\/[^/?#\s]+(?:\/[A-Za-z0-9][A-Za-z0-9_-]*)+$/i;

/**
 * Returns why a publicUrl cannot be used; undefined if it can. The text itself is judged: a parsed URL no longer shows
 * `..` and escapes. The characters need no escape in a URL, a cookie's name, a script or a pattern.
 */
export function findUrlFault(publicUrl: string): string | undefined {
  if (plainUrl.test(publicUrl) || urlBelowPath.test(publicUrl)) return undefined;
  if (/[?#]/.test(publicUrl)) return "it has no query and no fragment: end it after the path";
  if (urlBelowPath.test(publicUrl.replace(/(?<!\/)\/+$/, ""))) return "leave out the slash after the path";
  return "its path is made of segments such as /tools/gatehouse: letters, digits, - and _, each begins with a letter or digit";
}

/** Returns the path below which Gatehouse is served, such as `/tools/gatehouse`; empty if publicUrl has none. */
export function basePathOf(publicUrl: string): string {
  const { pathname } = new URL(publicUrl);
  return pathname === "/" ? "" : pathname;
}

/** Returns a path without the base path in front; undefined if it is not below the base path. */
export function pathBelow(path: string, basePath: string): string | undefined {
  if (!path.startsWith(basePath)) return undefined;
  const rest = path.slice(basePath.length);
  if (rest.startsWith("/")) return rest;
  return rest === "" || /^[?#]/.test(rest) ? `/${rest}` : undefined;
}
