"use client";

import { Button, Group, Skeleton, Table, Text } from "@mantine/core";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef } from "react";
import {
  describeRecorded,
  type MeasurementRow,
  prepareMeasurementRows,
  whyOf,
} from "#components/runs/prepare-measurement-rows.ts";
import classes from "#components/runs/runs.module.css";
import { classifyAnalysis } from "#components/ui/classify-state.ts";
import { formatExact } from "#components/ui/format-time.ts";
import { HostileText } from "#components/ui/hostile-text.tsx";
import { QueryView } from "#components/ui/query-view.tsx";
import { StateBadge } from "#components/ui/state-badge.tsx";
import type { ItemList } from "#lib/client/list-queries.ts";
import { useMeasurements } from "#lib/client/run-queries.ts";
import type { AnalysisRunDetail, Measurement, RunMetric } from "#lib/contract/analysis-run.ts";

type TableRun = Pick<AnalysisRunDetail, "uid" | "presence">;

/** Shows every measurement of a metric, as recorded, and where measurements were lost. */
export function MeasurementTable({ run, metric }: { run: TableRun; metric: RunMetric }) {
  const list = useMeasurements(run.uid, metric.name);
  return (
    <QueryView
      what="The table"
      data={list.items}
      error={list.error}
      retry={list.retry}
      skeleton={<Skeleton height={120} mt="sm" />}
    >
      {(items) => <MeasurementRows items={items} metric={metric} list={list} isDerived={run.presence === "derived"} />}
    </QueryView>
  );
}

type MeasurementRowsProps = {
  items: Measurement[];
  metric: RunMetric;
  list: ItemList<Measurement>;
  isDerived: boolean;
};

const rowHeight = 30;

function MeasurementRows({ items, metric, list, isDerived }: MeasurementRowsProps) {
  const frame = useRef<HTMLDivElement>(null);
  const rows = prepareMeasurementRows(items, metric.gaps, { isDerived });
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    overscan: 15,
    // Until the frame is measured, render as many rows as it will show, so that the first paint is not an empty table.
    initialRect: { width: 600, height: 360 },
  });
  const drawn = virtualizer.getVirtualItems();
  const lastDrawn = drawn.at(-1)?.index ?? 0;
  const { hasMore, isLoadingMore, loadMore } = list;
  useEffect(() => {
    if (hasMore && !isLoadingMore && lastDrawn > rows.length - 50) loadMore();
  }, [hasMore, isLoadingMore, loadMore, lastDrawn, rows.length]);
  const before = drawn[0]?.start ?? 0;
  const after = virtualizer.getTotalSize() - (drawn.at(-1)?.end ?? 0);

  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <section ref={frame} className={classes.tableFrame} tabIndex={0} aria-label={`Measurements of ${metric.name}`}>
        <Table stickyHeader verticalSpacing={4} className={classes.table} aria-rowcount={rows.length + 1}>
          <Table.Caption className="visually-hidden">Measurements of {metric.name}, as recorded</Table.Caption>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col" ta="right">
                No.
              </Table.Th>
              <Table.Th scope="col">Value</Table.Th>
              <Table.Th scope="col">Phase</Table.Th>
              <Table.Th scope="col">Why</Table.Th>
              <Table.Th scope="col">Started</Table.Th>
              <Table.Th scope="col">Finished</Table.Th>
              <Table.Th scope="col">Message</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {before > 0 && <SpacerRow height={before} />}
            {drawn.map(({ index, key }) => {
              const row = rows[index];
              return row === undefined ? null : (
                <Table.Tr key={key} ref={virtualizer.measureElement} data-index={index} aria-rowindex={index + 2}>
                  <RowCells row={row} isDerived={isDerived} />
                </Table.Tr>
              );
            })}
            {after > 0 && <SpacerRow height={after} />}
          </Table.Tbody>
        </Table>
      </section>
      <Group gap="sm" mt={4}>
        <Text size="xs" c="dimmed">
          {describeRecorded(items, { recorded: metric.recorded, hasMore })}
        </Text>
        {hasMore && (
          <Button size="compact-xs" variant="default" loading={isLoadingMore} onClick={loadMore}>
            Load more
          </Button>
        )}
      </Group>
    </>
  );
}

function RowCells({ row, isDerived }: { row: MeasurementRow; isDerived: boolean }) {
  if (row.kind === "gap") {
    return (
      <Table.Td colSpan={7} className={classes.gap}>
        {row.words}
      </Table.Td>
    );
  }
  const { seq, value, phase, startedAt, finishedAt, message, parsed } = row.measurement;
  return (
    <>
      <Table.Th scope="row" ta="right">
        {seq}
      </Table.Th>
      <Table.Td className={classes.value}>
        {value === null ? (
          <Text c="dimmed">{finishedAt === null ? "not yet" : "none"}</Text>
        ) : value === "" ? (
          <Text c="dimmed">empty</Text>
        ) : (
          value
        )}
        {parsed.kind === "unparsable" && <Text c="dimmed">not a readable value</Text>}
      </Table.Td>
      <Table.Td>
        <StateBadge shown={classifyAnalysis(phase)} size="sm" variant="plain" />
      </Table.Td>
      <Table.Td className={classes.why}>
        <HostileText text={whyOf(row.measurement)} />
      </Table.Td>
      <Table.Td className={classes.time}>{isDerived ? "unknown" : formatExact(startedAt)}</Table.Td>
      <Table.Td className={classes.time}>{finishedAt === null ? "not yet" : formatExact(finishedAt)}</Table.Td>
      <Table.Td>
        <HostileText text={message} />
      </Table.Td>
    </>
  );
}

function SpacerRow({ height }: { height: number }) {
  return (
    <tr style={{ height }}>
      <td colSpan={7} />
    </tr>
  );
}
