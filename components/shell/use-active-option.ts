import { type SpotlightStore, useSpotlight } from "@mantine/spotlight";
import { useEffect, useState } from "react";

/**
 * Names the chosen entry of the palette for screen readers: the keyboard stays in the field while the arrow keys choose.
 * `entries` changes when the list shows others.
 */
export function useActiveOption(
  store: SpotlightStore,
  entries: string,
): { listId: string; activeId: string | undefined } {
  const { selected, listId } = useSpotlight(store);
  const [activeId, setActiveId] = useState<string>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the elements of the list change with its entries.
  useEffect(() => {
    const list = listId === "" ? null : document.getElementById(listId);
    for (const [index, option] of list?.querySelectorAll("[data-action]").entries() ?? []) {
      option.id = `${listId}-${index}`;
      option.setAttribute("aria-selected", String(index === selected && option.hasAttribute("data-selected")));
    }
    setActiveId(list?.querySelector("[data-selected]")?.id);
  }, [listId, selected, entries]);
  return { listId, activeId };
}
