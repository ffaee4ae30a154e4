const dialogs = '[role="dialog"]';

/**
 * Gives the focus back to what opened a dialog, once the last dialog is gone: a dialog that is taken out of the page
 * takes the focus with it. If the opener is gone as well, the focus goes to the page's content. Returns a function that stops watching.
 */
export function watchDialogs(): () => void {
  let outside: HTMLElement | undefined;
  let opener: HTMLElement | undefined;

  const onFocus = ({ target }: FocusEvent): void => {
    if (!(target instanceof HTMLElement)) return;
    if (target.closest(dialogs) === null) outside = findLasting(target);
    else opener ??= outside;
  };
  const observer = new MutationObserver(() => {
    if (opener === undefined || document.querySelector(dialogs) !== null) return;
    const back = opener.isConnected ? opener : document.getElementById("main");
    opener = undefined;
    const { activeElement } = document;
    if (activeElement === null || activeElement === document.body) back?.focus({ preventScroll: true });
  });
  document.addEventListener("focusin", onFocus);
  observer.observe(document.body, { childList: true, subtree: true });
  return () => {
    document.removeEventListener("focusin", onFocus);
    observer.disconnect();
  };
}

/** An entry of a menu goes with its menu: the menu's button stays. */
function findLasting(target: HTMLElement): HTMLElement {
  const button = target.closest('[role="menu"]')?.getAttribute("aria-labelledby") ?? null;
  return (button === null ? null : document.getElementById(button)) ?? target;
}
