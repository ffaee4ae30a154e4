const maxLength = 100;

/**
 * A display name as it may stand beside others: without characters that show nothing or turn the text around, on one
 * line, at most 100 characters. Undefined where nothing is left.
 */
export function cleanName(text: string): string | undefined {
  const visible = text
    .replace(/\s+/gu, " ")
    .replace(/[\p{C}\p{Default_Ignorable_Code_Point}\u2800]/gu, "")
    .trim();
  const clean = [...visible].slice(0, maxLength).join("").trim();
  return clean === "" ? undefined : clean;
}
