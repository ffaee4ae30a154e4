const properties = { sticky: "--gh-sticky-height", fixed: "--gh-foot-height" } as const;

/**
 * A ref for a bar that sticks to the top of the page, or to its foot on a narrow screen: passes the covered height to
 * `global.css`, so that nothing with the keyboard focus comes to rest below the bar. If the bar grows over the focused
 * element, scrolls that into view.
 */
export function reserveStickyRoom(bar: HTMLElement | null): (() => void) | undefined {
  if (bar === null) return undefined;
  const root = document.documentElement;
  const reserve = (): void => {
    // On a low screen the bar scrolls away with the page.
    const { position } = getComputedStyle(bar);
    for (const [where, property] of Object.entries(properties))
      root.style.setProperty(property, `${position === where ? bar.offsetHeight : 0}px`);
    if (position in properties) uncoverFocus(bar);
  };
  const observer = new ResizeObserver(reserve);
  observer.observe(bar);
  return () => {
    observer.disconnect();
    for (const property of Object.values(properties)) root.style.removeProperty(property);
  };
}

function uncoverFocus(bar: HTMLElement): void {
  const focused = document.activeElement;
  if (focused === null || bar.contains(focused) || !focused.matches(":focus-visible")) return;
  const [over, own] = [bar.getBoundingClientRect(), focused.getBoundingClientRect()];
  if (own.top < over.bottom && own.bottom > over.top) focused.scrollIntoView({ block: "nearest" });
}
