/**
 * Puts foreign text on one line as a reader sees it: without control and format characters, without characters that
 * nothing shows, and without those that reverse the direction of the text.
 */
export function cleanLine(text: string): string {
  return text
    .replace(/\s+/gu, " ")
    .replace(/[\p{C}\p{Default_Ignorable_Code_Point}\u2800]/gu, "")
    .trim();
}
