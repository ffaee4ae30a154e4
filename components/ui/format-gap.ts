import type { Gap } from "#lib/contract/analysis-run.ts";

/** Describes a gap. For an open one, the count is a minimum. */
export function formatGap({ count, open = false }: Gap): string {
  const words = count === 1 ? "1 measurement lost" : `${count} measurements lost`;
  if (!open) return words;
  return count === 0 ? "measurements may be missing here: not observed" : `at least ${words}`;
}
