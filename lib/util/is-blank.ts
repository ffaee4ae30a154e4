/** Invisible characters: control, format, private and unassigned ones, spaces, fillers, the empty Braille cell. */
const invisible = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** Returns whether the text has no visible characters. */
export function isBlank(text: string): boolean {
  return text.replace(invisible, "") === "";
}
