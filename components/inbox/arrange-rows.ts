import type { DepartingItem } from "#components/inbox/use-departures.ts";
import type { InboxItem } from "#lib/contract/inbox.ts";
import { groupOfWait, isUrgent, type WaitGroup, waitGroups } from "#lib/domain/waiting/rank-wait.ts";

type Row = DepartingItem<InboxItem>;
export type Part = WaitGroup | "snoozed";

/**
 * Separates the groups of waiting rows and the snoozed ones; each keeps the server's order. While rows are held, a
 * waiting one stays in its part (`places`), because moving it would close the dialog that is open in it. One that wakes
 * moves at once: its part may be folded.
 */
export function splitRows(
  rows: readonly Row[],
  { isHeld, places }: { isHeld: boolean; places: Map<string, Part> } = { isHeld: false, places: new Map() },
): Record<Part, Row[]> {
  const parts: Record<Part, Row[]> = { decide: [], fix: [], look: [], snoozed: [] };
  for (const row of rows) {
    const place = places.get(row.key);
    const part = isHeld && place !== undefined && place !== "snoozed" ? place : partOf(row.item);
    places.set(row.key, part);
    parts[part].push(row);
  }
  return parts;
}

function partOf({ rollout: { attention }, handling }: InboxItem): Part {
  if (handling.snooze !== null) return "snoozed";
  return attention === null ? "look" : groupOfWait(attention);
}

/** The repairs come first while one of them is urgent. */
export function orderGroups({ fix }: Pick<Record<Part, Row[]>, "fix">): readonly WaitGroup[] {
  return fix.some(({ item }) => isUrgentItem(item)) ? ["fix", "decide", "look"] : waitGroups;
}

/**
 * Returns the groups that the rows of further pages belong to. The server sends urgent repairs first, then the groups
 * one after the other, and snoozed rows last.
 */
export function findUnfinished(parts: Record<Part, Row[]>): WaitGroup[] {
  if (parts.snoozed.length > 0) return [];
  const last = waitGroups.findLastIndex((group) => parts[group].some(({ item }) => !isUrgentItem(item)));
  return waitGroups.filter((group, at) => at >= last && parts[group].length > 0);
}

function isUrgentItem({ rollout: { attention, weight } }: InboxItem): boolean {
  return attention !== null && isUrgent({ ...attention, traffic: weight?.actual ?? null });
}

/** A key that no row has: everything is pinned. */
const everyRow = "";

/**
 * Returns the key of the lowest row that the pointer is over or that shows the keyboard focus (`data-row`), if any. An
 * open dialog pins every row, since it may belong to any row.
 */
export function findPinnedRow(): string | undefined {
  if (document.querySelector('[role="dialog"][aria-modal="true"]') !== null) return everyRow;
  const hovered = matchMedia("(hover: hover)").matches ? "[data-row]:hover, " : "";
  const rows = document.querySelectorAll<HTMLElement>(`${hovered}[data-row]:has(:focus-visible)`);
  return [...rows].at(-1)?.dataset.row;
}
