"use client";

import { useEffect } from "react";
import { watchPrint } from "#components/ui/watch-print.ts";

const attribute = "data-mantine-color-scheme";

/** Prints in light colours, whichever scheme the screen uses: paper is white, and browsers leave out backgrounds. */
export function useLightPrint(): void {
  useEffect(() => {
    const root = document.documentElement;
    let shown: string | null = null;
    function lighten(): void {
      shown ??= root.getAttribute(attribute);
      root.setAttribute(attribute, "light");
    }
    function restore(): void {
      if (shown !== null) root.setAttribute(attribute, shown);
      shown = null;
    }
    return watchPrint(lighten, restore);
  }, []);
}
