/** Formats a number of things; from a thousand on, its digits are grouped: "50,000". */
export function formatCount(count: number): string {
  return count.toLocaleString("en-US");
}
