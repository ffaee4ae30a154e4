"use client";

import { useEffect, useRef, useState } from "react";
import { mergeOrder } from "#components/ui/merge-order.ts";

export type SteadyItem<Item> = { key: string; item: Item; isGone: boolean };

export type SteadyItems<Item> = {
  rows: SteadyItem<Item>[];
  /** New rows that wait until the person asks for them. */
  fresh: number;
  showFresh(): void;
  /** Rows keep their places: the person hovers over a row, has the focus in one, or has a dialog open. */
  isHeld: boolean;
  /** Spread these on the element around the rows: no row moves while someone points at or works in them. */
  holdProps: {
    onPointerEnter(event: React.PointerEvent): void;
    onPointerLeave(): void;
    onFocus(event: React.FocusEvent): void;
    onBlur(event: React.FocusEvent): void;
  };
};

/**
 * Returns live rows whose cells change in place, but which never move under the pointer or the focus. Another `listKey`
 * is another list, which the person asked for: it is shown at once.
 */
export function useSteadyItems<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
  listKey = "",
): SteadyItems<Item> {
  const [isPointed, setPointed] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const [lastSeen] = useState(() => new Map<string, Item>());
  const [shown, setShown] = useState<string[]>(() => items.map(keyOf));
  const [shownKey, setShownKey] = useState(listKey);

  const focused = useRef<Element>(null);
  // No event reports that the focus was lost with its element, such as the button of a row that no longer waits.
  useEffect(() => {
    if (isFocused && focused.current?.isConnected !== true) setFocused(false);
  });

  const incoming = items.map(keyOf);
  const isHeld = (isPointed || isFocused || isDialogOpen()) && shownKey === listKey;
  if (shownKey !== listKey) setShownKey(listKey);
  const merged = isHeld ? mergeOrder(shown, incoming) : { order: incoming, fresh: 0 };
  if (!isSame(merged.order, shown)) setShown(merged.order);

  const present = new Map(items.map((item) => [keyOf(item), item]));
  for (const [key, item] of present) lastSeen.set(key, item);
  const rows = merged.order.flatMap((key) => {
    const item = present.get(key) ?? lastSeen.get(key);
    return item === undefined ? [] : [{ key, item, isGone: !present.has(key) }];
  });

  return {
    rows,
    fresh: merged.fresh,
    isHeld,
    showFresh: () => setShown(incoming),
    holdProps: {
      onPointerEnter: (event) => setPointed(event.pointerType === "mouse"),
      onPointerLeave: () => setPointed(false),
      onFocus: (event) => {
        focused.current = event.target;
        setFocused(isInRows(event.target));
      },
      onBlur: (event) => setFocused(event.currentTarget.contains(event.relatedTarget) && isInRows(event.relatedTarget)),
    },
  };
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((key, index) => key === other[index]);
}

/** A person at the header chooses an order, and does not read a row. */
function isInRows(target: EventTarget | null): boolean {
  return !(target instanceof Element) || target.closest("thead") === null;
}

function isDialogOpen(): boolean {
  return typeof document !== "undefined" && document.querySelector('[role="dialog"][aria-modal="true"]') !== null;
}
