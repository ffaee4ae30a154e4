/** Returns whether a name matches a pattern: `*` matches any run of characters, `?` one, anything else itself. */
export function matchGlob(pattern: string, name: string): boolean {
  let at = 0;
  let here = 0;
  let star = -1;
  let resume = 0;
  while (here < name.length) {
    if (pattern[at] === "*") {
      star = at++;
      resume = here;
    } else if (at < pattern.length && (pattern[at] === "?" || pattern[at] === name[here])) {
      at++;
      here++;
    } else if (star >= 0) {
      at = star + 1;
      here = ++resume;
    } else return false;
  }
  while (pattern[at] === "*") at++;
  return at === pattern.length;
}

export function matchesAny(patterns: readonly string[], name: string): boolean {
  return patterns.some((pattern) => matchGlob(pattern, name));
}
