import { useEffect, useState } from "react";

/**
 * Keeps which folded metrics are open. With `idOf`, the id of a metric's section, a link to the section opens the
 * metric.
 */
export function useOpened(idOf?: (name: string) => string): {
  isOpen: (name: string) => boolean;
  toggle: (name: string) => void;
} {
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const keyOf = idOf ?? ((name: string) => name);
  const hasLinks = idOf !== undefined;
  useEffect(() => {
    if (!hasLinks) return;
    const open = (hash: string) => setOpened((now) => new Set([...now, hash.slice(1)]));
    const openNamed = () => open(window.location.hash);
    // A second click on a link does not change the address.
    const openClicked = ({ target }: MouseEvent) => {
      const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href^="#"]') : null;
      if (link !== null) open(link.hash);
    };
    openNamed();
    window.addEventListener("hashchange", openNamed);
    document.addEventListener("click", openClicked);
    return () => {
      window.removeEventListener("hashchange", openNamed);
      document.removeEventListener("click", openClicked);
    };
  }, [hasLinks]);
  const isOpen = (name: string) => opened.has(keyOf(name));
  const toggle = (name: string) => {
    const key = keyOf(name);
    setOpened((now) => new Set(now.has(key) ? [...now].filter((each) => each !== key) : [...now, key]));
  };
  return { isOpen, toggle };
}
