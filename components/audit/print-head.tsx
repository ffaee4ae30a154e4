"use client";

import classes from "#components/audit/audit.module.css";
import { describeVerification } from "#components/audit/audit-check.tsx";
import { describeFilters } from "#components/audit/describe-filters.ts";
import { formatClockTime } from "#components/ui/format-time.ts";
import { useAuditVerification } from "#lib/client/audit-queries.ts";
import { shownTimeZone } from "#lib/client/time-display.ts";

type PrintHeadProps = {
  filters: Readonly<Record<string, string>>;
  /** How many rows are on the paper; undefined while they load. */
  shown: number | undefined;
  hasMore: boolean;
};

/** Says on paper what was asked for, and how much of it is there. */
export function PrintHead({ filters, shown, hasMore }: PrintHeadProps) {
  const { data: verified, dataUpdatedAt } = useAuditVerification();
  if (shown === undefined) return null;
  return (
    <dl className={classes.printHead}>
      <dt>Filters</dt>
      <dd>{describeFilters(filters)}</dd>
      <dt>Rows</dt>
      <dd>{hasMore ? `the newest ${shown}; more are not printed` : `${shown}, all of them`}</dd>
      <dt>Chain</dt>
      <dd>
        {verified === undefined
          ? "not verified as a whole before printing"
          : `${describeVerification(verified)}, ${formatClockTime(dataUpdatedAt)} ${shownTimeZone()}`}
      </dd>
    </dl>
  );
}
