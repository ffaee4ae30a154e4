/** Splits a JSON pointer (RFC 6901) such as `/resource_access/gatehouse/roles` into its names; undefined if it is none. */
export function parseJsonPointer(text: string): string[] | undefined {
  if (!text.startsWith("/") || /~(?![01])/.test(text)) return undefined;
  return text
    .slice(1)
    .split("/")
    .map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** Returns the value at the names that `parseJsonPointer` gave, or undefined if there is none. */
export function readJsonPointer(value: unknown, names: readonly string[]): unknown {
  let found = value;
  for (const name of names) {
    if (typeof found !== "object" || found === null) return undefined;
    if (Array.isArray(found) && !/^(?:0|[1-9][0-9]{0,8})$/.test(name)) return undefined;
    if (!Object.hasOwn(found, name)) return undefined;
    found = (found as Record<string, unknown>)[name];
  }
  return found;
}
