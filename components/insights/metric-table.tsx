import { Anchor } from "@mantine/core";
import Link from "next/link";
import { Fragment } from "react";
import { Counted } from "#components/insights/count-link.tsx";
import { type FigureColumn, FigureTable } from "#components/insights/figure-table.tsx";
import { formatDistance, formatLength, formatShare } from "#components/insights/format-figures.ts";
import classes from "#components/insights/insights.module.css";
import { type InsightScope, linkMetric } from "#lib/client/insight-links.ts";
import { templateHref } from "#lib/client/template-path.ts";
import type { AnalysisInsights, MetricFigures } from "#lib/contract/insight.ts";
import { formatCountOf } from "#lib/util/words.ts";

/** Lists the metrics of each template, those that people waited for longest first. */
export function MetricTable({ insights, scope }: { insights: AnalysisInsights; scope: InsightScope }) {
  return (
    <FigureTable
      id="by-metric"
      title="Metrics that cost people time"
      hint="Sorted by the time that releases waited for people, then by Inconclusive and Error results. Dry runs are left out."
      columns={columnsOf(scope)}
      rows={insights.metrics}
      keyOf={({ cluster, template, metric }) => `${cluster} ${template?.id ?? ""} ${metric}`}
      count={insights.metricCount}
    />
  );
}

function columnsOf(scope: InsightScope): FigureColumn<MetricFigures>[] {
  const links = (row: MetricFigures) => linkMetric(row, scope);
  const right = { align: "right" } as const;
  const of = ({ metric }: MetricFigures) => `with ${metric}`;
  return [
    {
      key: "name",
      header: "Metric",
      isName: true,
      cell: (row) => (
        <>
          <bdi>{row.metric}</bdi>
          <TemplateName row={row} />
        </>
      ),
    },
    {
      ...{ key: "waits", header: "People waited", ...right },
      cell: (row) =>
        row.waits.runs === 0 ? (
          "–"
        ) : (
          <>
            <strong>{formatLength(row.waits.seconds)}</strong>
            <Quiet>
              {"for "}
              <Counted link={links(row).waited} label={`${of(row)} that a person was waited for`}>
                {formatCountOf(row.waits.runs, "run")}
              </Counted>
            </Quiet>
          </>
        ),
    },
    {
      ...{ key: "runs", header: "Runs", ...right },
      cell: (row) => <Counted link={links(row).runs} label={`runs ${of(row)}`} />,
    },
    {
      ...{ key: "failed", header: "Failed", ...right },
      cell: (row) => <Counted link={links(row).failed} label={`runs ${of(row)} Failed`} />,
    },
    {
      ...{ key: "inconclusive", header: "Inconclusive", ...right },
      cell: (row) => (
        <>
          <Counted link={links(row).inconclusive} label={`runs ${of(row)} Inconclusive`} />
          <Share count={row.inconclusiveMeasurements} of={row.measurements} />
        </>
      ),
    },
    {
      ...{ key: "error", header: "Error", ...right },
      cell: (row) => (
        <>
          <Counted link={links(row).error} label={`runs ${of(row)} in Error`} />
          <Share count={row.errorMeasurements} of={row.measurements} />
        </>
      ),
    },
    {
      ...{ key: "nan", header: "NaN", ...right },
      cell: (row) => (
        <>
          {row.nans.unknownRuns === row.runs ? (
            <Counted link={links(row).nanUnknown} label={`whether runs ${of(row)} had NaN`}>
              unknown
            </Counted>
          ) : (
            <Counted link={links(row).nan} label={`runs ${of(row)} and NaN`} />
          )}
          {row.nans.unknownRuns < row.runs && <Share count={row.nans.measurements} of={row.nans.of} />}
          {row.nans.unknownRuns > 0 && row.nans.unknownRuns < row.runs && (
            <Quiet>
              <Counted link={links(row).nanUnknown} label={`runs ${of(row)}, NaN or not`}>
                {`${row.nans.unknownRuns} unknown`}
              </Counted>
            </Quiet>
          )}
        </>
      ),
    },
    {
      ...{ key: "margin", header: "Distance to limit", headHint: "median, from the nearest limit", ...right },
      cell: (row) =>
        row.margin === null ? (
          <Quiet>no numeric limit</Quiet>
        ) : (
          <>
            <Counted link={links(row).margin} label={`the median distance to a limit, over the runs ${of(row)}`}>
              {formatDistance(row.margin.median, row.unit)}
            </Counted>
            <Quiet>{`worst tenth under ${formatDistance(row.margin.low, row.unit)}`}</Quiet>
          </>
        ),
    },
    {
      key: "overrides",
      header: "Overridden, and how it ended",
      cell: (row) => <Overrides row={row} links={links(row)} />,
    },
  ];
}

function TemplateName({ row: { template, cluster } }: { row: MetricFigures }) {
  return (
    <span className={classes.place}>
      {template === null ? (
        <bdi>{`${cluster} · no known template`}</bdi>
      ) : (
        <>
          <Anchor component={Link} href={templateHref(template.id)} prefetch={false} inherit>
            <bdi>{template.name}</bdi>
          </Anchor>
          <bdi>{` · ${[cluster, template.namespace ?? "all namespaces"].join(" · ")}`}</bdi>
        </>
      )}
    </span>
  );
}

/** The share of measurements, which is finer than that of runs. */
function Share({ count, of }: { count: number; of: number }) {
  if (count === 0 || of === 0) return null;
  return (
    <span className={classes.place} title={`${count} of ${of} measurements`}>
      {formatShare(count / of)} of values
    </span>
  );
}

function Quiet({ children }: { children: React.ReactNode }) {
  return <span className={classes.place}>{children}</span>;
}

function Overrides({ row, links }: { row: MetricFigures; links: ReturnType<typeof linkMetric> }) {
  const { runs } = row.overrides;
  if (runs === 0) return row.inconclusive === 0 ? "–" : "none yet";
  const ends = [
    [links.stayed, "stayed"],
    [links.undone, "undone within 24 h"],
    [links.aborted, "aborted later"],
    [links.other, "superseded or not known"],
  ] as const;
  return (
    <span className={classes.stack}>
      <Counted link={links.overridden} label={`runs with ${row.metric} that a person overrode`}>
        {`${runs} of ${row.inconclusive} Inconclusive`}
      </Counted>
      <Quiet>
        {ends
          .filter(([{ count }]) => count > 0)
          .map(([link, word], index) => (
            <Fragment key={word}>
              {index > 0 && ", "}
              <Counted link={link} label={`of ${row.metric} after a person overrode`}>
                {`${link.count} ${word}`}
              </Counted>
            </Fragment>
          ))}
      </Quiet>
    </span>
  );
}
