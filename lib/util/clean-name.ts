import { cleanLine } from "./clean-line.ts";

const maxLength = 100;

/**
 * Cleans a display name so that it can be shown next to others: one line of at most 100 characters. Returns undefined if
 * nothing is left.
 */
export function cleanName(text: string): string | undefined {
  const clean = [...cleanLine(text)].slice(0, maxLength).join("").trim();
  return clean === "" ? undefined : clean;
}
