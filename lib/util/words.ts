/** Joins items in English: "a", "a and b", "a, b and c". */
export function formatList(items: readonly string[]): string {
  return items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} and ${items.at(-1)}`;
}

/** Formats a number of things; from a thousand on, its digits are grouped: "50,000". */
export function formatCount(count: number): string {
  return count.toLocaleString("en-US");
}

/** Counts things: "1 row", "2 rows". */
export function formatCountOf(count: number, noun: string, plural = `${noun}s`): string {
  return `${formatCount(count)} ${count === 1 ? noun : plural}`;
}

/** Formats a length of time exactly: `10 s`, `1 min 30 s`, `1 h`. */
export function formatLength(seconds: number): string {
  const parts = [
    [Math.floor(seconds / 3600), "h"],
    [Math.floor((seconds % 3600) / 60), "min"],
    [Math.round((seconds % 60) * 1000) / 1000, "s"],
  ] as const;
  const named = parts.filter(([amount]) => amount > 0).map(([amount, unit]) => `${amount} ${unit}`);
  return named.length === 0 ? "0 s" : named.join(" ");
}

/** Writes the first letter of a sentence as a capital. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Ends a text with one full stop. */
export function endSentence(text: string): string {
  return `${text.replace(/\.$/, "")}.`;
}
