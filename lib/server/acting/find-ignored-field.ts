/**
 * The first field of a merge patch that the answered object does not carry, or undefined where it carries all. A patch
 * on the wrong path answers 200 and does nothing, so 200 alone proves nothing. An asked null means absent or empty.
 */
export function findIgnoredField({
  asked,
  answered,
  path = "",
}: {
  asked: unknown;
  answered: unknown;
  path?: string;
}): string | undefined {
  if (asked === null) return isEmpty(answered) ? undefined : path;
  if (typeof asked === "object" && !Array.isArray(asked)) {
    for (const [key, value] of Object.entries(asked)) {
      const inside = path === "" ? key : `${path}.${key}`;
      const ignored = findIgnoredField({ asked: value, answered: memberOf(answered, key), path: inside });
      if (ignored !== undefined) return ignored;
    }
    return undefined;
  }
  // Go's JSON leaves out false and 0 where the field says omitempty.
  if ((asked === false || asked === 0) && answered === undefined) return undefined;
  return JSON.stringify(asked) === JSON.stringify(answered) ? undefined : path;
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

function memberOf(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[key] : undefined;
}
