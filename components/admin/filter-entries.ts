import type { ConfigEntry } from "#lib/contract/admin-config.ts";

/** Returns the entries whose path or value contains every word, ignoring case. `own`: without defaults. */
export function filterEntries(
  entries: readonly ConfigEntry[],
  { text, own }: { text: string; own: boolean },
): readonly ConfigEntry[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return entries.filter(({ path, value, origin }) => {
    const line = `${path}: ${value}`.toLowerCase();
    return (!own || origin !== "default") && words.every((word) => line.includes(word));
  });
}
