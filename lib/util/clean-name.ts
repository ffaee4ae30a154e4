const maxLength = 100;

/**
 * Cleans a display name so that it can be shown next to others. Removes invisible characters and characters that
 * reverse the text direction, puts it on one line and cuts it to 100 characters. Returns undefined if nothing is left.
 */
export function cleanName(text: string): string | undefined {
  const visible = text
    .replace(/\s+/gu, " ")
    .replace(/[\p{C}\p{Default_Ignorable_Code_Point}\u2800]/gu, "")
    .trim();
  const clean = [...visible].slice(0, maxLength).join("").trim();
  return clean === "" ? undefined : clean;
}
