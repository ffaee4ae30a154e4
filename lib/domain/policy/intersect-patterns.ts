/** Returns patterns that match exactly the names that both lists match. */
export function intersectPatterns(left: readonly string[], right: readonly string[]): string[] {
  if (right.includes("*")) return [...left];
  if (left.includes("*")) return [...right];
  const found = left.flatMap((one) => right.flatMap((other) => [...intersectGlobs(one, other)]));
  return [...new Set(found)].toSorted();
}

function intersectGlobs(left: string, right: string): ReadonlySet<string> {
  const known = new Map<string, ReadonlySet<string>>();

  /** Returns what both rests match. If both begin with a star, the common part comes first, and then one star ends. */
  function common(at: number, other: number): ReadonlySet<string> {
    const key = `${at} ${other}`;
    const found = known.get(key) ?? computeCommon(at, other);
    known.set(key, found);
    return found;
  }

  function computeCommon(at: number, other: number): ReadonlySet<string> {
    const here = left[at];
    const there = right[other];
    if (here === undefined && there === undefined) return new Set([""]);
    if (here === "*" && there === "*") return prefixed("*", [common(at + 1, other), common(at, other + 1)]);
    if (here === "*") {
      const isPassed = common(at + 1, other);
      return there === undefined ? isPassed : new Set([...isPassed, ...prefixed(there, [common(at, other + 1)])]);
    }
    if (there === "*") {
      const isPassed = common(at, other + 1);
      return here === undefined ? isPassed : new Set([...isPassed, ...prefixed(here, [common(at + 1, other)])]);
    }
    if (here === undefined || there === undefined) return new Set();
    if (here !== there && here !== "?" && there !== "?") return new Set();
    return prefixed(here === "?" ? there : here, [common(at + 1, other + 1)]);
  }

  return common(0, 0);
}

function prefixed(text: string, rests: readonly ReadonlySet<string>[]): ReadonlySet<string> {
  return new Set(rests.flatMap((rest) => [...rest].map((pattern) => (text + pattern).replaceAll(/\*+/g, "*"))));
}
