import { type ChartMark, type ChartSurroundings, MarkSign } from "#components/charts/chart-marks.tsx";
import classes from "#components/charts/charts.module.css";
import { describeLeftOut } from "#components/charts/describe-left-out.ts";
import { type ComparedLine, comparedDashes } from "#components/charts/metric-plot.tsx";
import type { MetricChart } from "#components/charts/prepare-metric-chart.ts";
import type { SeriesDetail } from "#components/charts/use-series-in-view.ts";
import type { LeftOut } from "#lib/contract/analysis-run.ts";

type ChartLegendProps = {
  chart: MetricChart;
  /** Marks and earlier runs, if this chart explains them for the page. */
  explained: ChartSurroundings | undefined;
  compared: readonly ComparedLine[];
  ownName: string | undefined;
  leftOut: LeftOut | undefined;
  detail: SeriesDetail | undefined;
  /** Measurements that are drawn in view. */
  drawn: number;
};

/** Explains the lines and signs of a chart, and what it leaves out. */
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
  { kind: "resume", words: "resumed" },
  { kind: "person", words: "person or client" },
  { kind: "abort", words: "aborted" },
  { kind: "retry", words: "retried" },
  { kind: "revision", words: "new version" },
];

/** More words would be longer than the rest of the legend; the cursor and the list of events have them. */
const mostActs = 3;

/** Names the acts of the person's sign, as "person or client: paused it, aborted it". */
function wordActs(words: string, marks: readonly ChartMark[]): string {
  const acts = [...new Set(marks.flatMap(({ did }) => did ?? []))];
  return acts.length === 0 || acts.length > mostActs ? words : `${words}: ${acts.join(", ")}`;
}

/** Explains the signs above the charts. */
function SignKeys({ marks }: Pick<ChartSurroundings, "marks">) {
  const kinds = new Set(marks.map(({ kind }) => kind));
  return signs
    .filter(({ kind }) => kinds.has(kind))
    .map(({ kind, words }) => (
      <span key={kind} className={classes.key}>
        <svg width="12" height="12" aria-hidden="true">
          <MarkSign x={6} y={6} kind={kind} />
        </svg>
        {kind === "person" ? wordActs(words, marks) : words}
      </span>
    ));
}

function LineKey({ color, dashes, opacity }: { color: string; dashes?: string | undefined; opacity?: string }) {
  return (
    <svg width="20" height="8" aria-hidden="true">
      <path d="M0 4H20" stroke={color} strokeWidth="2" strokeDasharray={dashes} strokeOpacity={opacity} />
    </svg>
  );
}
