/** Reads patterns that a person separated by commas or spaces; undefined if one cannot be a namespace's. */
export function parseNamespaces(text: string): string[] | undefined {
  const patterns = text.split(/[\s,]+/).filter((pattern) => pattern !== "");
  const isUsable = (pattern: string) => pattern.length <= 63 && /^[a-z0-9*?-]+$/.test(pattern);
  return patterns.length > 0 && patterns.every(isUsable) ? patterns : undefined;
}
