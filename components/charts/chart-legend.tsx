import { type ChartMark, type ChartSurroundings, MarkSign } from "#components/charts/chart-marks.tsx";
import classes from "#components/charts/charts.module.css";
import { describeLeftOut } from "#components/charts/describe-left-out.ts";
import { type ComparedLine, comparedDashes } from "#components/charts/metric-plot.tsx";
import type { MetricChart } from "#components/charts/prepare-metric-chart.ts";
import type { SeriesDetail } from "#components/charts/use-series-in-view.ts";
import type { LeftOut } from "#lib/contract/analysis-run.ts";

type ChartLegendProps = {
  chart: MetricChart;
  /** Marks, weights and earlier runs, if this chart explains them for the page. */
  explained: ChartSurroundings | undefined;
  compared: readonly ComparedLine[];
  ownName: string | undefined;
  leftOut: LeftOut | undefined;
  detail: SeriesDetail | undefined;
  /** Measurements that are drawn in view. */
  drawn: number;
};

/** Explains the lines and the shading of a chart, and what it leaves out. */
export function ChartLegend(props: ChartLegendProps) {
  const { chart, explained, compared, ownName } = props;
  const earlierRuns = explained?.earlier.length ?? 0;
  if (chart.points.length === 0) return <span>No measurements yet.</span>;
  const said = describeLeftOut(props);
  const lost = chart.gaps.reduce((sum, { count }) => sum + count, 0);
  return (
    <>
      {ownName !== undefined && (
        <span className={classes.key}>
          <LineKey color="var(--mantine-primary-color-filled)" />
          <bdi>{ownName}</bdi>
        </span>
      )}
      {compared.map(({ name }, index) => (
        <span key={name} className={classes.key}>
          <LineKey color="var(--gh-grey-mark)" dashes={comparedDashes[index % comparedDashes.length]} />
          <bdi>{name}</bdi>
        </span>
      ))}
      {earlierRuns > 0 && (
        <span className={classes.key}>
          <LineKey color="var(--gh-grey-mark)" opacity="var(--earlier-opacity)" />
          {earlierRuns === 1 ? "the run before" : `${earlierRuns} earlier runs`}
          {explained?.isEarlierByNumber === true && ", by measurement number"}
        </span>
      )}
      {explained !== undefined && <SignKeys {...explained} />}
      {said !== undefined && <span aria-live="polite">{said.note}</span>}
      {said?.warning !== undefined && <span className={classes.notDrawn}>{said.warning}</span>}
      {lost > 0 && (
        <span>
          {lost === 1 ? "1 measurement was" : `${lost} measurements were`} lost; the hatched part shows where.
        </span>
      )}
    </>
  );
}

const signs: readonly { kind: ChartMark["kind"]; words: string }[] = [
  { kind: "step", words: "step" },
  { kind: "pause", words: "pause" },
  { kind: "person", words: "action by a person or client" },
  { kind: "other", words: "other event" },
];

/** Explains the signs above the charts and the shade behind the lines. */
function SignKeys({ marks, weights }: Pick<ChartSurroundings, "marks" | "weights">) {
  const kinds = new Set(marks.map(({ kind }) => kind));
  return (
    <>
      {signs
        .filter(({ kind }) => kinds.has(kind))
        .map(({ kind, words }) => (
          <span key={kind} className={classes.key}>
            <svg width="12" height="12" aria-hidden="true">
              <MarkSign x={6} y={6} kind={kind} />
            </svg>
            {words}
          </span>
        ))}
      {weights.some(({ weight }) => weight > 0) && <span>shade: traffic on the new version</span>}
    </>
  );
}

function LineKey({ color, dashes, opacity }: { color: string; dashes?: string | undefined; opacity?: string }) {
  return (
    <svg width="20" height="8" aria-hidden="true">
      <path d="M0 4H20" stroke={color} strokeWidth="2" strokeDasharray={dashes} strokeOpacity={opacity} />
    </svg>
  );
}
