import { useElementSize } from "@mantine/hooks";
import { type RefCallback, useCallback, useState } from "react";

/** Measures an element's width: as soon as it is in the page, because printing waits for no frame, and whenever it changes. */
export function useWidth(): { ref: RefCallback<HTMLElement>; width: number } {
  const { ref: observe, width } = useElementSize<HTMLElement>();
  const [first, setFirst] = useState(0);
  const ref = useCallback(
    (element: HTMLElement | null) => {
      observe(element);
      if (element !== null) setFirst(element.getBoundingClientRect().width);
    },
    [observe],
  );
  return { ref, width: width === 0 ? first : width };
}
