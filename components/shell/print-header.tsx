"use client";

import { formatExact } from "#components/ui/format-time.ts";
import { useIsPrinting } from "#components/ui/watch-print.ts";
import { useMe } from "#lib/client/system-queries.ts";

import classes from "./shell.module.css";

/** Says on paper which page it shows, and who printed it when: the address and the freshness of a screen are missing there. */
export function PrintHeader() {
  const me = useMe().data;
  if (!useIsPrinting()) return null;
  const { origin, pathname, search } = window.location;
  const by = me === undefined ? "" : ` by ${me.name}`;
  return (
    <p className={classes.printHeader}>
      Gatehouse, printed {formatExact(new Date().toISOString())}
      {by}: {`${origin}${pathname}${search}`}
    </p>
  );
}
