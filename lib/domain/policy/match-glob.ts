/** Returns whether a name matches a pattern: `*` matches any run of characters, `?` one, anything else itself. */
export function matchGlob(pattern: string, name: string): boolean {
  return walk(pattern, name, (part, letter) => part === "?" || part === letter);
}

/** Returns whether a pattern matches every name that another one matches. It may miss that, but never claims it wrongly. */
export function coversGlob(outer: string, inner: string): boolean {
  return walk(outer, inner, (part, letter) => part === letter || (part === "?" && letter !== "*"));
}

/** Names have at most 253 characters. */
const longestPattern = 300;

/** Returns whether some name matches both patterns. Longer patterns match none. */
export function overlapsGlob(left: string, right: string): boolean {
  if (left.length > longestPattern || right.length > longestPattern) return false;
  // For each place in `right`: whether the rests of both have a name in common.
  let after = Array.from({ length: right.length + 1 }, (_, at) => /^\**$/.test(right.slice(at)));
  for (const mine of [...left].reverse()) {
    const here = Array.from({ length: right.length + 1 }, () => false);
    for (let at = right.length; at >= 0; at--) {
      const theirs = right[at];
      if (mine === "*" || theirs === "*") here[at] = after[at] === true || here[at + 1] === true;
      else
        here[at] =
          theirs !== undefined && (mine === theirs || mine === "?" || theirs === "?") && after[at + 1] === true;
    }
    after = here;
  }
  return after[0] === true;
}

/** Matches with the newest star first. `fits` says whether a part of the pattern that is no star takes a letter. */
function walk(pattern: string, name: string, fits: (part: string, letter: string) => boolean): boolean {
  let at = 0;
  let here = 0;
  let star = -1;
  let resume = 0;
  while (here < name.length) {
    const part = pattern[at];
    if (part === "*") {
      star = at++;
      resume = here;
    } else if (part !== undefined && fits(part, name[here] ?? "")) {
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
