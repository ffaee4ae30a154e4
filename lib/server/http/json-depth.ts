/**
 * How deep arrays and objects of a JSON text lie in each other, and how many values it has at the most, read without
 * parsing. What stands in strings counts for nothing.
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
