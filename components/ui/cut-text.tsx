import classes from "#components/ui/cut-text.module.css";

/** Keeps text on one line and cuts the overflow; hovering shows the full text (`showCutText`). */
export function CutText({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <span className={classes.cut} data-full={title}>
      {children}
    </span>
  );
}

/**
 * Gives the link of a row the title of the cell under the pointer: the link covers the row, so the cells themselves are
 * never pointed at.
 */
export function showCutText({ target, clientX, clientY }: React.PointerEvent): void {
  if (!(target instanceof HTMLElement) || !target.matches("[data-row-link]")) return;
  const below = document.elementsFromPoint(clientX, clientY).filter((element) => element !== target);
  const full = below.map(fullTextOf).find((text) => text !== undefined);
  if (target.title !== (full ?? "")) target.title = full ?? "";
}

function fullTextOf(element: Element): string | undefined {
  if (!(element instanceof HTMLElement)) return undefined;
  const { full = element.title } = element.dataset;
  return full === "" ? undefined : full;
}
