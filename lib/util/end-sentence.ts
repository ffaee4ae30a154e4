/** Ends a text with one full stop. */
export function endSentence(text: string): string {
  return `${text.replace(/\.$/, "")}.`;
}
