"use client";

import { formatExact } from "#components/ui/format-time.ts";
import { RelativeTime } from "#components/ui/relative-time.tsx";

/** Shows a relative time on the screen, and the exact one with its zone on paper. */
export function ExactTime({ at }: { at: string }) {
  return (
    <>
      <span className="screen-only">
        <RelativeTime at={at} />
      </span>
      <span className="print-only" suppressHydrationWarning>
        {formatExact(at)}
      </span>
    </>
  );
}
