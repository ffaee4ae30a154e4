/** How deep arrays and objects of a JSON text lie in each other, read without parsing; strings count for nothing. */
export function jsonDepth(text: string): number {
  let depth = 0;
  let deepest = 0;
  let isString = false;
  for (let index = 0; index < text.length; index += 1) {
    const char = text[index];
    if (isString) {
      if (char === "\\") index += 1;
      else if (char === '"') isString = false;
    } else if (char === '"') isString = true;
    else if (char === "{" || char === "[") deepest = Math.max(deepest, ++depth);
    else if (char === "}" || char === "]") depth -= 1;
  }
  return deepest;
}
