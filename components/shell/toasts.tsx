"use client";

import { Notifications } from "@mantine/notifications";
import { useEffect, useRef } from "react";
import classes from "#components/shell/toasts.module.css";

/** Shows notifications at the lower left, where few buttons are. The page gets as much room at its end, so that its last row stays free. */
export function Toasts() {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const stack = ref.current?.querySelector<HTMLElement>('[data-position="bottom-left"]');
    return stack == null ? undefined : reserveToastRoom(stack);
  }, []);
  return (
    <div ref={ref}>
      <Notifications
        position="bottom-left"
        limit={4}
        containerWidth={400}
        withinPortal={false}
        classNames={{ root: classes.stack }}
      />
    </div>
  );
}

const property = "--gh-toast-room";
/** Space above and below the stack, in px. */
const gap = 20;

/** Keeps as much room free at the end of the page as the stack of toasts is high. Returns a function that stops it. */
function reserveToastRoom(stack: HTMLElement): () => void {
  const { style } = document.documentElement;
  let reserved = 0;

  function settle(): void {
    const { scrollHeight, clientHeight } = document.documentElement;
    const needed = stack.offsetHeight === 0 ? 0 : stack.offsetHeight + gap;
    const below = Math.max(0, scrollHeight - clientHeight - window.scrollY);
    const room = assessRoom({ needed, reserved, below });
    if (room === reserved) return;
    reserved = room;
    if (room === 0) style.removeProperty(property);
    else style.setProperty(property, `${room}px`);
  }

  const observer = new ResizeObserver(settle);
  observer.observe(stack);
  window.addEventListener("scroll", settle, { passive: true });
  return () => {
    observer.disconnect();
    window.removeEventListener("scroll", settle);
    style.removeProperty(property);
  };
}

type RoomFacts = {
  /** Room that the toasts need now, in px. */
  needed: number;
  /** Room that the page keeps free now, in px. */
  reserved: number;
  /** How much of the page is below the lower edge of the window. */
  below: number;
};

/**
 * Returns how much room the page keeps free at its end, in px. Room that is no longer needed is given up only if it is
 * out of view: otherwise the page would move under the pointer when a toast goes.
 */
export function assessRoom({ needed, reserved, below }: RoomFacts): number {
  return needed >= reserved ? needed : Math.max(needed, reserved - Math.floor(below));
}
