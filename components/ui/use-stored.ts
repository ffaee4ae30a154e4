"use client";

import { useSyncExternalStore } from "react";

const changed = "gatehouse-stored";

/** Keeps a text in this browser, the same in all its tabs; undefined if nothing is stored, and on the server. */
export function useStored(key: string): [string | undefined, (value: string | undefined) => void] {
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
