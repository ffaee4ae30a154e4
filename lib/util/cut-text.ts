/** Cuts a text to so many characters, the last of which is then an ellipsis. */
export function cutText(text: string, length: number): string {
  // A character is at most two code units: a longer text need not be split as a whole.
  const units = [...text.slice(0, 2 * length + 2)];
  return units.length <= length ? text : `${units.slice(0, length - 1).join("")}…`;
}
