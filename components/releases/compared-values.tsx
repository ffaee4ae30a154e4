import { Table, Text } from "@mantine/core";
import type { MeasuredMetric } from "#components/charts/comparison.tsx";
import { findPlottedField } from "#components/charts/plotted-value.ts";
import { formatDifference } from "#components/charts/prepare-difference.ts";
import { preparePoints } from "#components/charts/prepare-metric-chart.ts";
import { labelsOf } from "#components/charts/prepare-thresholds.ts";
import { classifyAnalysis } from "#components/ui/classify-state.ts";
import { measuredPhaseOf } from "#components/ui/order-metrics.ts";
import { StateIcon } from "#components/ui/state-badge.tsx";
import { TableHead } from "#components/ui/table-parts.tsx";
import type { AnalysisPhase } from "#lib/contract/common.ts";
import { shownUnit, showValue } from "#lib/domain/units/show-value.ts";
import { formatCountOf } from "#lib/util/words.ts";

type ComparedValuesProps = {
  metrics: readonly MeasuredMetric[];
  /** The names of the newer release (own) and of the older one. */
  names: { own: string; other: string };
  /** The newer release's run. */
  ownUid: string;
};

/**
 * Shows by how much each metric got better or worse: worst value and median of both releases, change, limits. A change
 * is bold if the newer release did not pass or has another verdict.
 */
export function ComparedValues({ metrics, names, ownUid }: ComparedValuesProps) {
  const rows = metrics.map((metric) => prepareComparedRow(metric, ownUid));
  if (rows.every(({ own, other }) => own === undefined && other === undefined)) return null;
  const columns = [
    { header: "Metric" },
    { header: names.other, align: "right" as const },
    { header: names.own, align: "right" as const },
    { header: "Change", align: "right" as const },
    { header: "Limit" },
  ];
  return (
    <Table.ScrollContainer minWidth={560} mb="md">
      <Table fz="sm" verticalSpacing="xs" captionSide="top">
        <Table.Caption ta="left" mt={0}>
          Worst value and median of each metric
        </Table.Caption>
        <TableHead columns={columns} />
        <Table.Tbody>
          {rows.map(({ name, own, other, change, limits }) => (
            <Table.Tr key={name}>
              <Table.Th scope="row" style={{ whiteSpace: "nowrap" }}>
                {name}
              </Table.Th>
              <ValueCell side={other} />
              <ValueCell side={own} />
              <Table.Td ta="right">
                {change === undefined ? (
                  "unknown"
                ) : (
                  <>
                    <Text span inherit fw={doesMatter({ own, other }) ? 700 : undefined}>
                      {change.worst ?? `median ${change.median}`}
                    </Text>
                    {change.worst !== undefined && <Dimmed>median {change.median}</Dimmed>}
                  </>
                )}
              </Table.Td>
              <Table.Td>{limits === "" ? "none" : limits}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function ValueCell({ side }: { side: ComparedSide | undefined }) {
  if (side === undefined) return <Table.Td ta="right">not measured</Table.Td>;
  const verdict = classifyAnalysis(side.phase);
  return (
    <Table.Td ta="right">
      {side.worst ?? `median ${side.median}`}
      <Dimmed>
        <StateIcon state={verdict.state} size={14} /> {verdict.word}
        {", "}
        {side.worst !== undefined && `median ${side.median}, `}
        {side.counted}
      </Dimmed>
    </Table.Td>
  );
}

/** Returns whether the newer release of a metric did not pass or has another verdict than the older one. */
export function doesMatter({ own, other }: Pick<ComparedRow, "own" | "other">): boolean {
  return own !== undefined && (own.phase !== "Successful" || (other !== undefined && other.phase !== own.phase));
}

function Dimmed({ children }: { children: React.ReactNode }) {
  return (
    <Text size="xs" c="dimmed">
      {children}
    </Text>
  );
}

/** The values of a metric in one release, as shown. */
type ComparedSide = { phase: AnalysisPhase; counted: string; median: string; worst: string | undefined };

type ComparedRow = {
  name: string;
  own: ComparedSide | undefined;
  other: ComparedSide | undefined;
  /** Own minus other; undefined without values on both sides. */
  change: { median: string; worst: string | undefined } | undefined;
  limits: string;
};

/**
 * Compares a metric's values in two runs. The worst value is the one nearest to failing. Either run may lack the metric:
 * then `newest` is the other run's series.
 */
export function prepareComparedRow({ name, own: newest, others }: MeasuredMetric, ownUid: string): ComparedRow {
  const isWorseBelow = findWorseDirection(newest.metric);
  const all = [newest, ...others];
  const sides = [all.find(({ run }) => run.uid === ownUid), all.find(({ run }) => run.uid !== ownUid)];
  const [mine, theirs] = sides.map((series) => series && summariseValues(series, isWorseBelow));
  const { unit } = newest.metric;
  const inUnit = unit === null ? "" : `\u2009${shownUnit(unit) === "%" ? "points" : unit}`;
  const subtract = (one: number, two: number) => `${formatDifference(one - two, unit)}${inUnit}`;
  return {
    name,
    own: mine?.shown,
    other: theirs?.shown,
    change:
      mine === undefined || theirs === undefined
        ? undefined
        : {
            median: subtract(mine.median, theirs.median),
            worst:
              mine.worst === undefined || theirs.worst === undefined ? undefined : subtract(mine.worst, theirs.worst),
          },
    limits: labelsOf(newest.metric).join(", "),
  };
}

type Series = MeasuredMetric["own"];

/** Returns whether lower values are nearer to failing; undefined if the limits do not tell. */
function findWorseDirection({ thresholds }: Series["metric"]): boolean | undefined {
  const directions = thresholds.flatMap(({ condition, region }) =>
    region === "above" || region === "below" ? [(region === "above") === (condition === "success")] : [],
  );
  const [first] = directions;
  return directions.every((each) => each === first) ? first : undefined;
}

function summariseValues({ metric, measurements, leftOut }: Series, isWorseBelow: boolean | undefined) {
  const values = preparePoints(measurements, findPlottedField(metric.thresholds, measurements))
    .flatMap(({ value }) => value ?? [])
    .toSorted((one, two) => one - two);
  const [lowest, highest] = [values[0], values.at(-1)];
  if (lowest === undefined || highest === undefined) return undefined;
  const middle = (values.length - 1) / 2;
  const median = ((values[Math.floor(middle)] ?? lowest) + (values[Math.ceil(middle)] ?? highest)) / 2;
  const worst = isWorseBelow === undefined ? undefined : isWorseBelow ? lowest : highest;
  const limits = metric.thresholds.map(({ value }) => value);
  const show = (value: number) => showValue(String(Number(value.toPrecision(12))), metric.unit, limits);
  const shown: ComparedSide = {
    phase: measuredPhaseOf(metric),
    counted: describeCount(values.length, leftOut?.count ?? 0),
    median: show(median),
    worst: worst === undefined ? undefined : show(worst),
  };
  return { median, worst, shown };
}

/** Says how many values a median is of. `leftOut`: measurements that the server did not send. */
function describeCount(count: number, leftOut: number): string {
  return leftOut === 0 ? formatCountOf(count, "value") : `${count} of ${formatCountOf(count + leftOut, "value")}`;
}
