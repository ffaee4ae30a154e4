"use client";

import { useLocalStorage } from "@mantine/hooks";
import type { SavedList } from "#lib/contract/saved-view.ts";

export type Density = "comfortable" | "compact";

/** How high the rows of every list are. Kept in the browser: a small screen wants another one than a large one. */
export function useDensity(): [Density, (density: Density) => void] {
  const [stored, store] = useLocalStorage<string>({ key: "gatehouse-density", defaultValue: "comfortable" });
  return [stored === "compact" ? "compact" : "comfortable", store];
}

/** The columns that somebody chose for a list in this browser; undefined if nobody did. */
export function useStoredColumns(
  list: SavedList | undefined,
): [readonly string[] | undefined, (keys: readonly string[] | null) => void] {
  const [stored, store, forget] = useLocalStorage<unknown>({
    key: `gatehouse-columns-${list ?? "none"}`,
    defaultValue: null,
  });
  const keys = Array.isArray(stored) ? stored.filter((key) => typeof key === "string") : [];
  return [keys.length === 0 ? undefined : keys, (next) => (next === null ? forget() : store(next))];
}
