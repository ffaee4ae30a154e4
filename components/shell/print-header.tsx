"use client";

import { formatExact } from "#components/ui/format-time.ts";
import { useIsPrinting } from "#components/ui/watch-print.ts";
import { useMe } from "#lib/client/system-queries.ts";
import { shownTimeZone } from "#lib/client/time-display.ts";
import classes from "./shell.module.css";

/** Says on paper which page it shows, who printed it when, and in which time zone its times are. */
export function PrintHeader() {
  const me = useMe().data;
  if (!useIsPrinting()) return null;
  const { origin, pathname, search } = window.location;
  const by = me === undefined ? "" : ` by ${me.name}`;
  return (
    <p className={classes.printHeader}>
      {`Gatehouse, ${origin}${pathname}${search}, printed ${formatExact(new Date().toISOString())}${by}, times in ${shownTimeZone()}`}
    </p>
  );
}
