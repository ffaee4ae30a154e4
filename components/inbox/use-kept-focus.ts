"use client";

import { useEffect, useRef } from "react";

/** Keeps the focus in a row whose buttons go: otherwise the next key begins at the top of the page. */
export function useKeptFocus(isGone: boolean) {
  const ref = useRef<HTMLLIElement>(null);
  const hadFocus = useRef(false);
  useEffect(() => {
    if (!isGone || !hadFocus.current || document.activeElement !== document.body) return;
    ref.current?.querySelector<HTMLElement>("[data-row-link]")?.focus({ preventScroll: true });
  }, [isGone]);
  return {
    ref,
    onFocus: () => {
      hadFocus.current = true;
    },
    onBlur: ({ currentTarget, relatedTarget }: React.FocusEvent) => {
      hadFocus.current = currentTarget.contains(relatedTarget);
    },
  };
}
