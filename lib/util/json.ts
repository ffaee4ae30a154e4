/** Parses JSON; returns undefined if the text is not JSON: servers answer some errors with plain text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether a value is an object with fields: not null, and not a list. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Returns how deeply arrays and objects of a JSON text are nested, and at most how many values it has, without parsing
 * it. The content of strings does not count.
 */
export function jsonShape(text: string): { depth: number; values: number } {
  let depth = 0;
  let deepest = 0;
  let values = 1;
  let isString = false;
  for (let index = 0; index < text.length; index += 1) {
    const char = text[index];
    if (isString) {
      if (char === "\\") index += 1;
      else if (char === '"') isString = false;
    } else if (char === '"') isString = true;
    else if (char === ",") values += 1;
    else if (char === "{" || char === "[") {
      deepest = Math.max(deepest, ++depth);
      values += 1;
    } else if (char === "}" || char === "]") depth -= 1;
  }
  return { depth: deepest, values };
}
