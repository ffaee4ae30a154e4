import type { DepartingItem } from "#components/inbox/use-departures.ts";
import type { InboxItem } from "#lib/contract/inbox.ts";

type Row = DepartingItem<InboxItem>;
export type Part = "waiting" | "snoozed";

/**
 * Separates waiting rows from snoozed ones; both keep the server's order. While rows are held, a waiting one stays in
 * its part (`places`), because moving it would close the dialog that is open in it. One that wakes moves at once: its
 * part may be folded.
 */
export function splitRows(
  rows: readonly Row[],
  { isHeld, places }: { isHeld: boolean; places: Map<string, Part> } = { isHeld: false, places: new Map() },
): Record<Part, Row[]> {
  const parts: Record<Part, Row[]> = { waiting: [], snoozed: [] };
  for (const row of rows) {
    const current = row.item.handling.snooze === null ? "waiting" : "snoozed";
    const part = isHeld && places.get(row.key) === "waiting" ? "waiting" : current;
    places.set(row.key, part);
    parts[part].push(row);
  }
  return parts;
}
