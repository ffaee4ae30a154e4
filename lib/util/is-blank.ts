/** Characters that show nothing: control, format, private and unassigned ones, spaces, fillers, the empty Braille cell. */
const invisible = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** Whether nobody would see anything of the text. */
export function isBlank(text: string): boolean {
  return text.replace(invisible, "") === "";
}
