import { useEffect, useState } from "react";
import { flushSync } from "react-dom";

/**
 * Calls `begin` before the page is drawn for paper, and `end` after it. A preview of the print styles only changes the
 * medium. Either may be called twice. Returns the function that stops it.
 */
export function watchPrint(begin: () => void, end: () => void): () => void {
  const paper = window.matchMedia("print");
  const follow = () => (paper.matches ? begin() : end());
  window.addEventListener("beforeprint", begin);
  window.addEventListener("afterprint", end);
  paper.addEventListener("change", follow);
  return () => {
    window.removeEventListener("beforeprint", begin);
    window.removeEventListener("afterprint", end);
    paper.removeEventListener("change", follow);
  };
}

/** Returns whether the page is being printed. The browser draws the paper right after its event. */
export function useIsPrinting(): boolean {
  const [isPrinting, setIsPrinting] = useState(false);
  useEffect(
    () =>
      watchPrint(
        () => flushSync(() => setIsPrinting(true)),
        () => setIsPrinting(false),
      ),
    [],
  );
  return isPrinting;
}
