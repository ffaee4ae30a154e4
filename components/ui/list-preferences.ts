"use client";

import { useSyncExternalStore } from "react";
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

const changed = "gatehouse-stored";

/** Keeps a text in this browser, the same in all its tabs; undefined if nothing is stored, and on the server. */
function useStored(key: string): [string | undefined, (value: string | undefined) => void] {
  const value = useSyncExternalStore(
    subscribe,
    () => read(key),
    () => undefined,
  );
  return [value, (next) => write(key, next)];
}

function subscribe(onChange: () => void): () => void {
  window.addEventListener("storage", onChange);
  window.addEventListener(changed, onChange);
  return () => {
    window.removeEventListener("storage", onChange);
    window.removeEventListener(changed, onChange);
  };
}

/** A browser may refuse storage; then nothing is kept. */
function read(key: string): string | undefined {
  try {
    return window.localStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

function write(key: string, value: string | undefined): void {
  try {
    if (value === undefined) window.localStorage.removeItem(key);
    else window.localStorage.setItem(key, value);
  } catch {
    return;
  }
  window.dispatchEvent(new Event(changed));
}
