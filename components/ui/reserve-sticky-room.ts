const property = "--gh-sticky-height";

/**
 * A ref for a bar that sticks to the top of the page: passes the covered height to `global.css`, so that nothing with
 * the keyboard focus comes to rest below the bar. If the bar grows over the focused element, scrolls that into view.
 */
export function reserveStickyRoom(bar: HTMLElement | null): (() => void) | undefined {
  if (bar === null) return undefined;
  const root = document.documentElement;
  const observer = new ResizeObserver(() => {
    // On a low screen the bar scrolls away with the page.
    const isSticky = getComputedStyle(bar).position === "sticky";
    root.style.setProperty(property, `${isSticky ? bar.offsetHeight : 0}px`);
    if (isSticky) uncoverFocus(bar);
  });
  observer.observe(bar);
  return () => {
    observer.disconnect();
    root.style.removeProperty(property);
  };
}

function uncoverFocus(bar: HTMLElement): void {
  const focused = document.activeElement;
  if (focused === null || bar.contains(focused) || !focused.matches(":focus-visible")) return;
  const [over, own] = [bar.getBoundingClientRect(), focused.getBoundingClientRect()];
  if (own.top < over.bottom && own.bottom > over.top) focused.scrollIntoView({ block: "nearest" });
}
