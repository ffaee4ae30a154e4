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
