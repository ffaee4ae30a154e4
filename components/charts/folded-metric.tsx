import { UnstyledButton } from "@mantine/core";
import { useId } from "react";
import classes from "#components/charts/charts.module.css";
import { findPlottedField, isPlottedAccessor } from "#components/charts/plotted-value.ts";
import { type ChartPoint, preparePoints } from "#components/charts/prepare-metric-chart.ts";
import { labelsOf } from "#components/charts/prepare-thresholds.ts";
import { hasShape, Sparkline } from "#components/charts/sparkline.tsx";
import { classifyAnalysis } from "#components/ui/classify-state.ts";
import { IconChevronDown, IconChevronRight } from "#components/ui/icons.tsx";
import { measuredPhaseOf } from "#components/ui/order-metrics.ts";
import { StateIcon } from "#components/ui/state-badge.tsx";
import { useIsPrinting } from "#components/ui/watch-print.ts";
import type { Measurement, RunMetric } from "#lib/contract/analysis-run.ts";
import { showValue } from "#lib/domain/units/show-value.ts";

type FoldedMetricProps = {
  metric: RunMetric;
  measurements: readonly Measurement[];
  isOpen: boolean;
  onToggle: () => void;
  /** The metric's chart, shown while it is open, and on paper. */
  children: React.ReactNode;
};

/** Shows a passing metric as one line with its shape and its newest value. A click opens its chart below the line. */
export function FoldedMetric({ metric, measurements, isOpen, onToggle, children }: FoldedMetricProps) {
  const isPrinting = useIsPrinting();
  const chart = useId();
  const { name, explanation } = metric;
  const { values, thresholds, last, recorded } = prepareShape(metric, measurements);
  const own = [`${name}: `, `${name} `].find((start) => explanation.startsWith(start)) ?? "";
  const verdict = explanation.slice(own.length);
  const limits = labelsOf({ ...metric, thresholds });
  const isNamedByShape = !isOpen && hasShape(values);
  return (
    <>
      <UnstyledButton className={classes.folded} aria-expanded={isOpen} aria-controls={chart} onClick={onToggle}>
        {isOpen ? <IconChevronDown size={16} aria-hidden="true" /> : <IconChevronRight size={16} aria-hidden="true" />}
        <StateIcon state={classifyAnalysis(measuredPhaseOf(metric)).state} size={14} />
        <span className={classes.foldedName} aria-hidden={isNamedByShape}>
          {name}
        </span>
        {!isOpen && (
          <>
            <Sparkline
              values={values}
              lastPhase={measurements.at(-1)?.phase ?? null}
              thresholds={thresholds}
              label={[`${name}: ${last}`, ...limits, verdict].join(", ")}
            />
            <span className={classes.foldedValue} title={recorded} aria-hidden={isNamedByShape}>
              {last}
            </span>
            <span className={classes.foldedVerdict} aria-hidden={isNamedByShape}>
              {verdict}
            </span>
          </>
        )}
      </UnstyledButton>
      <div id={chart}>{(isOpen || isPrinting) && children}</div>
    </>
  );
}

const mostValues = 40;

/** Returns the newest values of a metric for its sparkline, with the limits that apply to them. */
export function prepareShape(
  { thresholds, unit }: Pick<RunMetric, "thresholds" | "unit">,
  measurements: readonly Measurement[],
): {
  values: (number | null)[];
  thresholds: RunMetric["thresholds"];
  /** The newest value, rounded and with its unit; undefined without a number. */
  last: string | undefined;
  /** The same value as recorded. */
  recorded: string | undefined;
} {
  const field = findPlottedField(thresholds, measurements);
  const ended = preparePoints(measurements, field).filter(({ measurement }) => measurement.finishedAt !== null);
  const last = ended.findLast(({ value }) => value !== undefined);
  const recorded = last === undefined ? undefined : textOf(last);
  const limits = thresholds.map(({ value }) => value);
  return {
    values: ended.slice(-mostValues).map(({ value }) => value ?? null),
    thresholds: thresholds.filter(({ accessor }) => isPlottedAccessor(accessor, field)),
    last: recorded === undefined ? undefined : showValue(recorded, unit, limits),
    recorded,
  };
}

/** Returns the number of a point as recorded, with all its digits. */
function textOf({ value, measurement }: Pick<ChartPoint, "value" | "measurement">): string {
  const text = measurement.value ?? "";
  return Number(text) === value ? text : String(value);
}
