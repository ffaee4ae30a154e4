/**
 * Returns the first field of a merge patch that the answered object lacks, or undefined if it has all. A patch on the
 * wrong path answers 200 and does nothing, so 200 by itself proves nothing. A requested null means absent or empty.
 * Fields that the server adds by itself, such as defaults, do not count.
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
  if (Array.isArray(asked)) {
    const list: unknown[] = Array.isArray(answered) ? answered : [];
    if (list.length !== asked.length) return path;
    for (const [index, item] of asked.entries()) {
      const ignored = findIgnoredField({ asked: item, answered: list[index], path: `${path}[${index}]` });
      if (ignored !== undefined) return ignored;
    }
    return undefined;
  }
  if (typeof asked === "object") {
    for (const [key, value] of Object.entries(asked)) {
      const inside = path === "" ? key : `${path}.${key}`;
      const ignored = findIgnoredField({ asked: value, answered: memberOf(answered, key), path: inside });
      if (ignored !== undefined) return ignored;
    }
    return undefined;
  }
  // Go's JSON omits false, 0 and "" if the field says omitempty.
  if ((asked === false || asked === 0 || asked === "") && answered === undefined) return undefined;
  return asked === answered ? undefined : path;
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

function memberOf(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[key] : undefined;
}
