"use client";

import { useEffect, useState } from "react";
import type { SteadyItem } from "#components/ui/use-steady-items.ts";

export type DepartingItem<Item> = SteadyItem<Item> & {
  /** It folds up now, and is removed afterwards. */
  isFolding: boolean;
};

type Departure = { leftMs: number; foldsMs: number | undefined };

const dimmedMs = 3_000;
/** Far more than the animation takes, since a busy browser begins it late. The row has no height in the meantime. */
const foldMs = 1_500;
const lookMs = 250;

/**
 * Keeps rows that leave in their places, in grey, for 3 s; then they fold up. `findPinned` names the row that the
 * person points at or works in, if any. That row and those above it do not fold, because that row would move.
 */
export function useDepartures<Item>(
  rows: readonly SteadyItem<Item>[],
  findPinned: () => string | undefined,
): DepartingItem<Item>[] {
  const [kept] = useState(() => ({
    order: [] as string[],
    items: new Map<string, Item>(),
    departures: new Map<string, Departure>(),
  }));
  const [, redraw] = useState(0);
  const { items, departures } = kept;

  const nowMs = performance.now();
  const incoming = rows.map(({ key }) => key);
  const present = new Set(rows.filter(({ isGone }) => !isGone).map(({ key }) => key));
  for (const { key, item } of rows) items.set(key, item);
  for (const key of kept.order)
    if (!present.has(key) && !departures.has(key)) departures.set(key, { leftMs: nowMs, foldsMs: undefined });
  for (const key of present) departures.delete(key);

  const isOver = (key: string) => {
    const foldsMs = departures.get(key)?.foldsMs;
    return foldsMs !== undefined && nowMs >= foldsMs + foldMs;
  };
  for (const key of [...departures.keys()])
    if (isOver(key) && !incoming.includes(key)) {
      departures.delete(key);
      items.delete(key);
    }
  // A row that is over may still be held by the list: it stays away.
  const shown = incoming.filter((key) => !isOver(key));
  kept.order = keepDeparted(kept.order, shown, (key) => departures.has(key) && !isOver(key));

  const isWaiting = [...departures.keys()].some((key) => !isOver(key));
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setInterval(() => {
      if (foldWhatMay(kept, findPinned())) redraw((count) => count + 1);
    }, lookMs);
    return () => clearInterval(timer);
  }, [isWaiting, kept, findPinned]);

  return kept.order.flatMap((key) => {
    const item = items.get(key);
    if (item === undefined) return [];
    const departure = departures.get(key);
    return [{ key, item, isGone: departure !== undefined, isFolding: departure?.foldsMs !== undefined }];
  });
}

/** Starts to fold the rows that are due. Returns whether the list looks different now. */
function foldWhatMay(
  { order, departures }: { order: readonly string[]; departures: Map<string, Departure> },
  pinned: string | undefined,
): boolean {
  const nowMs = performance.now();
  const place = pinned === undefined ? -1 : order.indexOf(pinned);
  // A pinned row of another list is below this one.
  const firstFree = pinned !== undefined && place === -1 ? order.length : place + 1;
  let isChanged = false;
  for (const [key, { leftMs, foldsMs }] of departures) {
    if (foldsMs !== undefined) {
      isChanged ||= nowMs >= foldsMs + foldMs;
    } else if (nowMs >= leftMs + dimmedMs && order.indexOf(key) >= firstFree) {
      departures.set(key, { leftMs, foldsMs: nowMs });
      isChanged = true;
    }
  }
  return isChanged;
}

/**
 * Puts keys that have left back into the new order, each after the one that it followed before, as long as `isKept` says
 * so.
 */
export function keepDeparted(
  previous: readonly string[],
  incoming: readonly string[],
  isKept: (key: string) => boolean,
): string[] {
  const order = [...incoming];
  const present = new Set(incoming);
  let after: string | undefined;
  for (const key of previous) {
    if (present.has(key)) {
      after = key;
    } else if (isKept(key)) {
      order.splice(after === undefined ? 0 : order.indexOf(after) + 1, 0, key);
      after = key;
    }
  }
  return order;
}
