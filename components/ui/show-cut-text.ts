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
