"use client";

import { Button, CopyButton, Skeleton, Switch, Table, Text } from "@mantine/core";
import { parseAsStringLiteral, useQueryStates } from "nuqs";
import { useEffect } from "react";
import { MeasurementRow } from "#components/runs/measurement-row.tsx";
import classes from "#components/runs/measurements.module.css";
import {
  countPlaces,
  describeRecorded,
  formatForClipboard,
  prepareMeasurementRows,
} from "#components/runs/prepare-measurement-rows.ts";
import { QueryView } from "#components/ui/query-view.tsx";
import { useRowWindow } from "#components/ui/use-row-window.ts";
import type { ItemList } from "#lib/client/list-queries.ts";
import { type MeasurementChoice, runExportHref, useMeasurements } from "#lib/client/run-page-queries.ts";
import type { AnalysisRunDetail, Measurement, RunMetric } from "#lib/contract/analysis-run.ts";
import { formatCount } from "#lib/util/words.ts";

type TableRun = Pick<AnalysisRunDetail, "uid" | "presence" | "phase" | "startedAt" | "rollout">;
type MeasurementTableProps = { run: TableRun; metric: RunMetric };

/** Shows every measurement of a metric, as recorded, and where measurements were lost. */
export function MeasurementTable({ run, metric }: MeasurementTableProps) {
  const { list, choice, setOnly, setOrder } = useTable({ run, metric });
  const isFiltered = choice.only !== null;
  const { items, hasMore } = list;
  return (
    <section className={classes.measurements} aria-label={`Measurements of ${metric.name}`}>
      <MeasurementTools
        run={run}
        metric={metric.name}
        items={items}
        hasMore={hasMore}
        counted={items === undefined ? "" : describeRecorded(items, { recorded: metric.recorded, hasMore, isFiltered })}
        isOnly={isFiltered}
        onOnly={setOnly}
      />
      <QueryView
        what="The table"
        query={{ data: items, error: list.error, refetch: list.retry }}
        skeleton={<Skeleton height={120} mt="xs" />}
      >
        {(loaded) => <Rows run={run} metric={metric} items={loaded} list={list} choice={choice} onOrder={setOrder} />}
      </QueryView>
    </section>
  );
}

/** Loads the table of a folded metric: printing shows it, and does not wait for data. */
export function PreloadedTable(props: MeasurementTableProps) {
  useTable(props);
  return null;
}

function useTable({ run, metric }: MeasurementTableProps) {
  const isRunning = run.presence === "live" && (run.phase === "Running" || run.phase === "Pending");
  const { choice, setOnly, setOrder } = useMeasurementChoice(isRunning);
  return { list: useMeasurements(run.uid, metric.name, choice), choice, setOnly, setOrder };
}

type RowsProps = MeasurementTableProps & {
  items: Measurement[];
  list: ItemList<Measurement>;
  choice: MeasurementChoice;
  onOrder: (order: "asc" | "desc") => void;
};

/** A shorter table is drawn whole, so that the browser's own search finds what is in it. */
const alwaysDrawn = 200;
const columns = 5;
const rowHeight = 30;

function Rows({ run, metric, items, list, choice, onOrder }: RowsProps) {
  const { order, only } = choice;
  const { hasMore, isLoadingMore, loadMore } = list;
  const isDerived = run.presence === "derived";
  const rows = prepareMeasurementRows(items, metric.gaps, { isDerived, order, hasMore, isFiltered: only !== null });
  const places = countPlaces(items, metric.unit);
  const { ref, shown, before, after, measure } = useRowWindow(rows, { rowHeight, alwaysDrawn });
  const lastShown = shown.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && !isLoadingMore && lastShown > rows.length - 50) loadMore();
  }, [hasMore, isLoadingMore, loadMore, lastShown, rows.length]);
  if (rows.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {only === null ? "No measurements yet." : "Every measurement is successful."}
      </Text>
    );
  return (
    <div ref={ref} aria-busy={list.isPlaceholder || undefined}>
      {/* The roles survive the styles of a narrow screen, which take the table's own away. */}
      <Table
        verticalSpacing={3}
        horizontalSpacing={8}
        role="table"
        className={classes.table}
        aria-rowcount={rows.length + 1}
      >
        <Table.Caption className="visually-hidden">Measurements of {metric.name}, as recorded</Table.Caption>
        <Table.Thead className={classes.head} role="rowgroup">
          <Table.Tr role="row">
            <Table.Th
              scope="col"
              role="columnheader"
              ta="right"
              aria-sort={order === "asc" ? "ascending" : "descending"}
            >
              <button
                type="button"
                className={classes.sort}
                onClick={() => onOrder(order === "asc" ? "desc" : "asc")}
                title={order === "asc" ? "Show the newest first" : "Show the oldest first"}
              >
                No. <span aria-hidden="true">{order === "asc" ? "↑" : "↓"}</span>
              </button>
            </Table.Th>
            <Table.Th scope="col" role="columnheader" ta="right">
              {run.startedAt === null ? "Time" : "Offset"}
            </Table.Th>
            <Table.Th scope="col" role="columnheader" ta="right">
              Value
            </Table.Th>
            <Table.Th scope="col" role="columnheader" className={classes.spoken}>
              Phase
            </Table.Th>
            <Table.Th scope="col" role="columnheader" className={classes.spoken}>
              Why
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody role="rowgroup">
          {before > 0 && <SpacerRow height={before} />}
          {shown.map(({ row, index }) =>
            row.kind === "gap" ? (
              <Table.Tr key={`gap ${index}`} role="row" ref={measure} data-index={index} aria-rowindex={index + 2}>
                <Table.Td role="cell" colSpan={columns} className={classes.gap}>
                  {row.words}
                </Table.Td>
              </Table.Tr>
            ) : (
              <MeasurementRow
                key={`${row.measurement.seq} ${row.measurement.startedAt}`}
                ref={measure}
                index={index}
                measurement={row.measurement}
                unit={metric.unit}
                places={places}
                runStartedAt={run.startedAt}
                rollout={run.rollout}
                isTimeKnown={!isDerived}
              />
            ),
          )}
          {after > 0 && <SpacerRow height={after} />}
        </Table.Tbody>
      </Table>
      {hasMore && (
        <Button size="compact-xs" variant="default" mt={4} loading={isLoadingMore} onClick={loadMore}>
          Load more
        </Button>
      )}
    </div>
  );
}

function SpacerRow({ height }: { height: number }) {
  return (
    <tr style={{ height }}>
      <td colSpan={columns} />
    </tr>
  );
}

const parsers = {
  only: parseAsStringLiteral(["unsuccessful"]),
  order: parseAsStringLiteral(["asc", "desc"]),
};

/** Keeps in the URL which measurements the tables of a run show. While it runs, the newest are first. */
function useMeasurementChoice(isRunning: boolean) {
  const [{ only, order }, set] = useQueryStates(parsers, { history: "replace" });
  const usual = isRunning ? "desc" : "asc";
  const choice: MeasurementChoice = { only, order: order ?? usual };
  return {
    choice,
    setOnly: (isOnly: boolean) => void set({ only: isOnly ? "unsuccessful" : null }),
    setOrder: (next: "asc" | "desc") => void set({ order: next === usual ? null : next }),
  };
}

type MeasurementToolsProps = {
  run: Pick<AnalysisRunDetail, "uid" | "startedAt">;
  metric: string;
  /** Undefined until they are loaded. */
  items: readonly Measurement[] | undefined;
  hasMore: boolean;
  /** How many there are, in words. */
  counted: string;
  isOnly: boolean;
  onOnly: (isOnly: boolean) => void;
};

/** Filters a table of measurements and exports them: all as CSV, or the loaded ones to the clipboard. */
function MeasurementTools({ run, metric, items, hasMore, counted, isOnly, onOnly }: MeasurementToolsProps) {
  return (
    <div className={classes.tools}>
      <Switch
        size="xs"
        label="Hide successful"
        checked={isOnly}
        onChange={(event) => onOnly(event.currentTarget.checked)}
      />
      <Text size="xs" c="dimmed" role="status">
        {counted}
      </Text>
      <span className={classes.take}>
        {items !== undefined && items.length > 0 && (
          <CopyButton value={formatForClipboard(items, run.startedAt)} timeout={4000}>
            {({ copied, copy }) => (
              <Button size="compact-xs" variant="default" onClick={copy}>
                {copied ? "Copied" : hasMore ? `Copy these ${formatCount(items.length)}` : "Copy"}
                <span className="visually-hidden"> measurements of {metric}</span>
              </Button>
            )}
          </CopyButton>
        )}
        <Button
          component="a"
          size="compact-xs"
          variant="default"
          href={runExportHref(run.uid, "csv", metric)}
          aria-label={`CSV of all measurements of ${metric}`}
        >
          CSV
        </Button>
      </span>
    </div>
  );
}
