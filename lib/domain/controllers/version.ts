type Version = { parts: readonly number[]; isPrerelease: boolean };

/**
 * Reads a version as a controller or the tag of its image says it: `v1.8.3+49fa151` is 1.8.3. Undefined if the text has
 * none, such as `latest`.
 */
export function readVersion(text: string): string | undefined {
  return /^v?(\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?)(?:\+|$)/.exec(text.trim())?.[1];
}

/** Returns whether the version is this one or newer. A pre-release is older than its release. */
export function isAtLeast(version: string, wanted: readonly [number, number, number]): boolean {
  const { parts, isPrerelease } = parse(version);
  for (const [index, part] of wanted.entries()) {
    const own = parts[index] ?? 0;
    if (own !== part) return own > part;
  }
  return !isPrerelease;
}

function parse(version: string): Version {
  const [numbers = "", ...suffix] = version.split("-");
  return { parts: numbers.split(".").map(Number), isPrerelease: suffix.length > 0 };
}
