import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useLayoutEffect, useRef, useState } from "react";

type RowWindow = {
  rowHeight: number;
  /** Lists with fewer rows are rendered completely; only longer lists pay for windowing. */
  alwaysDrawn?: number;
};

/**
 * Chooses the rows of a table that are in view as the page scrolls; a short table renders all rows. The table's place
 * on the page may change at any time, because the content above it loads too.
 */
export function useRowWindow<Row>(rows: readonly Row[], { rowHeight, alwaysDrawn = 120 }: RowWindow) {
  const ref = useRef<HTMLDivElement>(null);
  const [scrollMargin, setScrollMargin] = useState(0);
  const isWindowed = rows.length > alwaysDrawn;
  useLayoutEffect(() => {
    const place = () => setScrollMargin((ref.current?.getBoundingClientRect().top ?? 0) + window.scrollY);
    place();
    if (!isWindowed) return;
    const observer = new ResizeObserver(place);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [isWindowed]);
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => rowHeight,
    overscan: 12,
    scrollMargin,
    enabled: isWindowed,
  });
  if (!isWindowed) {
    return { ref, shown: rows.map((row, index) => ({ row, index })), before: 0, after: 0, measure: undefined };
  }
  const drawn = virtualizer.getVirtualItems();
  const first = drawn[0];
  const last = drawn.at(-1);
  return {
    ref,
    shown: drawn.flatMap(({ index }) => {
      const row = rows[index];
      return row === undefined ? [] : [{ row, index }];
    }),
    before: first === undefined ? 0 : first.start - scrollMargin,
    after: last === undefined ? 0 : virtualizer.getTotalSize() - (last.end - scrollMargin),
    measure: virtualizer.measureElement,
  };
}
