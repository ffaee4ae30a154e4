/** The key of a row that no list has: everything is pinned. */
const everyRow = "";

/**
 * Returns the key of the lowest row that the pointer is over or that shows the keyboard focus (`data-row`); undefined if
 * there is none. An open dialog pins every row: it may belong to any of them.
 */
export function findPinnedRow(): string | undefined {
  if (document.querySelector('[role="dialog"][aria-modal="true"]') !== null) return everyRow;
  const hovered = matchMedia("(hover: hover)").matches ? "[data-row]:hover, " : "";
  const rows = document.querySelectorAll<HTMLElement>(`${hovered}[data-row]:has(:focus-visible)`);
  return [...rows].at(-1)?.dataset.row;
}
