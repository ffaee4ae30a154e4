/** Cuts a text to so many characters, the last of which is then an ellipsis. */
export function cutText(text: string, length: number): string {
  // A character is at most two code units: a longer text need not be split as a whole.
  const units = [...text.slice(0, 2 * length + 2)];
  return units.length <= length ? text : `${units.slice(0, length - 1).join("")}…`;
}

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

const maxLength = 100;

/**
 * Cleans a display name so that it can be shown next to others: one line of at most 100 characters. Returns undefined if
 * nothing is left.
 */
export function cleanName(text: string): string | undefined {
  const clean = [...cleanLine(text)].slice(0, maxLength).join("").trim();
  return clean === "" ? undefined : clean;
}

/** Invisible characters: control, format, private and unassigned ones, spaces, fillers, the empty Braille cell. */
const invisible = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** Returns whether the text has no visible characters. */
export function isBlank(text: string): boolean {
  return text.replace(invisible, "") === "";
}
