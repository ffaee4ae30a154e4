"use client";

import { useStored } from "#components/ui/use-stored.ts";
import type { SavedList } from "#lib/contract/saved-view.ts";

export type Density = "comfortable" | "compact";

/** The row height of every list. Kept in the browser: a small screen needs another one than a large one. */
export function useDensity(): [Density, (density: Density) => void] {
  const [stored, store] = useStored("gatehouse-density");
  return [stored === "compact" ? "compact" : "comfortable", store];
}

/** The columns chosen for a list in this browser; undefined without a choice. */
export function useStoredColumns(
  list: SavedList | undefined,
): [readonly string[] | undefined, (keys: readonly string[] | null) => void] {
  const [stored, store] = useStored(`gatehouse-columns-${list ?? "none"}`);
  return [
    stored === undefined || stored === "" ? undefined : stored.split(","),
    (keys) => store(keys === null ? undefined : keys.join(",")),
  ];
}
