import { useEffect } from "react";

/** Names the tab after an object, once it is loaded. */
export function usePageTitle(name: string): void {
  useEffect(() => {
    document.title = `${name} · Gatehouse`;
  }, [name]);
}
