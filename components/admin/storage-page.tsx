"use client";

import { Anchor, Button, Paper, Skeleton, Stack, Table, Text } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import Link from "next/link";
import { useState } from "react";
import classes from "#components/admin/admin.module.css";
import { AdminFrame, ConfigPath } from "#components/admin/admin-frame.tsx";
import { formatBytes, formatEstimate, StorageTable } from "#components/admin/storage-table.tsx";
import { QueryView } from "#components/ui/query-view.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { Section } from "#components/ui/section.tsx";
import { useAdminStorage } from "#lib/client/admin-queries.ts";
import { auditHref } from "#lib/client/rollout-path.ts";
import type { AdminStorage } from "#lib/contract/admin.ts";

/** Shows the database's contents by table, their growth, and the state of retention. */
export function StoragePage() {
  const query = useAdminStorage();
  return (
    <AdminFrame title="Storage and retention">
      <QueryView what="The storage" query={query} skeleton={<Skeleton height={400} aria-hidden="true" />}>
        {(storage) => (
          <Stack gap="lg">
            <Summary storage={storage} />
            <Retention retention={storage.retention} />
            <Tables storage={storage} />
            <Queues storage={storage} />
          </Stack>
        )}
      </QueryView>
    </AdminFrame>
  );
}

/** Describes the forecast, never more precisely than the rate that it follows from. */
export function describeForecast({ limitBytes, daysLeft, bytesPerDay }: AdminStorage): string {
  if (limitBytes === null) return "No limit is configured (storageGigabytes), so there is no forecast.";
  const limit = formatBytes(limitBytes);
  if (daysLeft === 0) return `The limit of ${limit} is reached.`;
  if (daysLeft === null)
    return bytesPerDay === null
      ? `The growth is unknown; the limit is ${limit}.`
      : `It does not grow; the limit is ${limit}.`;
  if (daysLeft > 3650) return `More than ten years at this rate until ${limit}.`;
  const days = Math.max(1, Math.round(daysLeft));
  return `About ${formatEstimate(days)} ${days === 1 ? "day" : "days"} at this rate until ${limit}.`;
}

function Summary({ storage }: { storage: AdminStorage }) {
  const { databaseBytes, bytesPerDay, growthKnownFor, leases } = storage;
  return (
    <dl className={classes.facts}>
      <div>
        <dt>Database</dt>
        <dd className={classes.value}>{databaseBytes === null ? "unknown" : formatBytes(databaseBytes)}</dd>
      </div>
      <div>
        <dt>Growth per day</dt>
        <dd>
          <span className={classes.value}>
            {bytesPerDay === null ? "unknown" : `about ${formatBytes(bytesPerDay)}`}
          </span>
          {bytesPerDay !== null && (
            <Text size="xs" c="dimmed">
              known for {Math.round(growthKnownFor * 100)} % of the data
            </Text>
          )}
        </dd>
      </div>
      <div>
        <dt>Forecast</dt>
        <dd>{describeForecast(storage)}</dd>
      </div>
      <div>
        <dt>Recorder</dt>
        <dd>
          {leases.problem ??
            (leases.holders.length === 0
              ? "No recorder holds a source."
              : `${leases.sources - leases.expired} of ${leases.sources} sources held by ${leases.holders.map(nameHolder).join(", ")}.`)}
        </dd>
      </div>
      <div>
        <dt>Backup</dt>
        <dd>Unknown: backups are made outside Gatehouse.</dd>
      </div>
    </dl>
  );
}

/** Shortens a holder, which is host, process and a random part, to the first two. */
function nameHolder(holder: string): string {
  return holder.split("/").slice(0, 2).join("/");
}

const outcomes: Readonly<Record<string, string>> = {
  deleted: "deleted rows",
  nothing: "found nothing old enough to delete",
  refused: "was refused",
  failed: "failed",
};

function Retention({ retention: { doneAt, outcome, message, removed, problem } }: Pick<AdminStorage, "retention">) {
  const rows = Object.entries(removed?.rows ?? {});
  return (
    <Section id="retention" title="Retention" mb={4}>
      <Text size="sm" className={classes.words}>
        {doneAt === null ? (
          "It has not completed a run yet."
        ) : (
          <>
            Last completed <RelativeTime at={doneAt} />.
          </>
        )}{" "}
        {outcome !== null && (
          <>
            The newest run {outcomes[outcome] ?? outcome}
            {outcome !== "nothing" && message !== null && message !== "" && (
              <>
                : <bdi>{message}</bdi>
              </>
            )}
            .{" "}
          </>
        )}
        {removed !== null && (
          <>
            Last removed <RelativeTime at={removed.at} />:{" "}
            {rows.map(([table, count]) => `${count.toLocaleString("en-GB")} from ${table}`).join(", ")} (
            <Anchor component={Link} href={auditHref(removed.seq)} inherit>
              entry {removed.seq}
            </Anchor>
            ).{" "}
          </>
        )}
        {problem} Rules: <ConfigPath path="retention" />
      </Text>
    </Section>
  );
}

/** The largest tables are shown; most of the others are nearly empty. */
const shownFirst = 15;

function Tables({ storage: { tables } }: { storage: AdminStorage }) {
  const [isOpen, setOpen] = useState(false);
  const isNarrow = useMediaQuery("(max-width: 56.25em)");
  return (
    <Section id="tables" title="Tables" mb={4}>
      <Text size="sm" c="dimmed" mb="xs" className={classes.words}>
        Rows are PostgreSQL's estimate. Growth is that of the last week, counted from the remaining rows.
      </Text>
      <StorageTable tables={isOpen ? tables : tables.slice(0, shownFirst)} isNarrow={isNarrow} />
      {tables.length > shownFirst && (
        <Button size="xs" variant="default" mt="xs" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? "Show the largest only" : `Show all ${tables.length} tables`}
        </Button>
      )}
    </Section>
  );
}

function Queues({ storage: { queues } }: { storage: AdminStorage }) {
  return (
    <Section id="queues" title="Queues">
      <Paper withBorder className={classes.frame}>
        <Table aria-labelledby="queues">
          <Table.Tbody>
            {queues.map(({ name, depth, isAtLeast, problem }) => (
              <Table.Tr key={name}>
                <Table.Th scope="row" fw={400}>
                  {name}
                </Table.Th>
                <Table.Td className={classes.number}>
                  {depth === null ? (
                    <Text size="sm" c="dimmed">
                      {problem}
                    </Text>
                  ) : (
                    `${depth.toLocaleString("en-GB")}${isAtLeast ? " or more" : ""}`
                  )}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Paper>
    </Section>
  );
}
