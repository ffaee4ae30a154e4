"use client";

import { Notifications } from "@mantine/notifications";
import { useEffect, useRef } from "react";
import { reserveToastRoom } from "#components/shell/reserve-toast-room.ts";
import classes from "#components/shell/toasts.module.css";

/** Shows notifications at the lower right. The page gets as much room at its end, so that its last row stays free. */
export function Toasts() {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const stack = ref.current?.querySelector<HTMLElement>('[data-position="bottom-right"]');
    return stack == null ? undefined : reserveToastRoom(stack);
  }, []);
  return (
    <div ref={ref}>
      <Notifications
        position="bottom-right"
        limit={4}
        containerWidth={400}
        withinPortal={false}
        classNames={{ root: classes.stack }}
      />
    </div>
  );
}
