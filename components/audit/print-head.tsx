"use client";

import { useMounted } from "@mantine/hooks";
import classes from "#components/audit/audit.module.css";
import { describeVerification } from "#components/audit/audit-check.tsx";
import { describeFilters } from "#components/audit/describe-filters.ts";
import { formatExact } from "#components/ui/format-time.ts";
import { useNow } from "#components/ui/use-now.ts";
import { useAuditVerification } from "#lib/client/audit-queries.ts";
import { useMe } from "#lib/client/system-queries.ts";
import { shownTimeZone } from "#lib/client/time-display.ts";

/** Says on paper when and by whom a page was printed, and in which time zone its times are. */
export function PrintedBy() {
  return (
    <dl className={classes.printHead}>
      <Printed />
    </dl>
  );
}

function Printed() {
  const isMounted = useMounted();
  const nowMs = useNow();
  const person = useMe().data?.name;
  if (!isMounted) return null;
  return (
    <>
      <dt>Printed</dt>
      <dd>
        {formatExact(new Date(nowMs).toISOString())}
        {person !== undefined && ` by ${person}`}, times in {shownTimeZone()}
      </dd>
    </>
  );
}

type PrintHeadProps = {
  filters: Readonly<Record<string, string>>;
  /** How many rows are on the paper; undefined while they load. */
  shown: number | undefined;
  hasMore: boolean;
};

/** Says on paper what was asked for, by whom and when, how much of it is there, and in which time zone. */
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
          : describeVerification(verified, dataUpdatedAt)}
      </dd>
      <Printed />
    </dl>
  );
}
