import { Skeleton } from "@mantine/core";
import dynamic from "next/dynamic";
import { Fragment } from "react";
import { PointCloud } from "#components/charts/point-shape.tsx";
import { hasShape, Sparkline } from "#components/charts/sparkline.tsx";
import { ChartHead } from "#components/rollouts/chart-head.tsx";
import { findDecidingMetric, prepareReleaseRuns, type ShownRun } from "#components/rollouts/prepare-release-runs.ts";
import classes from "#components/rollouts/rollouts.module.css";
import { MeasurementsLink, RunTimes } from "#components/rollouts/run-line.tsx";
import { describeEvidence, EvidenceLine, EvidenceValue, Rule, shortSummary } from "#components/ui/evidence-line.tsx";
import { StateIcon } from "#components/ui/state-badge.tsx";
import type { MetricEvidence } from "#lib/contract/evidence.ts";
import type { RolloutDetail } from "#lib/contract/rollout.ts";

const DecidingChart = dynamic(
  () => import("#components/rollouts/deciding-chart.tsx").then((module) => module.DecidingChart),
  { ssr: false, loading: () => <Skeleton height={240} aria-hidden="true" /> },
);

/**
 * Shows the metrics behind a wait next to its buttons: a line for each that does not pass, the chart of the first one,
 * and the passing ones side by side. The run that decides is linked here.
 */
export function DecidingMetrics({ rollout }: { rollout: RolloutDetail }) {
  const { attention, evidence, releaseRuns } = rollout;
  if (attention === null || evidence.length === 0) return null;
  const charted = findDecidingMetric(rollout);
  const run = prepareReleaseRuns(rollout).find(({ isCharted }) => isCharted);
  const contradicted = new Set(releaseRuns.flatMap(({ uid, contradiction }) => (contradiction ? [uid] : [])));
  // A success that the measurements contradict is shown with its numbers instead.
  const passing = evidence.filter(({ phase, runUid }) => phase === "Successful" && !contradicted.has(runUid));
  const others = evidence.filter((line) => !passing.includes(line));
  const checks = others.filter(isCheck);
  const isDrawn = charted !== undefined && hasShape(charted.values);
  return (
    <section className={classes.panel} aria-label="Deciding metrics">
      {run !== undefined && !isDrawn && <RunLine run={run} />}
      {others
        .filter((line) => !isCheck(line))
        .map((line) => {
          const key = `${line.runUid} ${line.metric}`;
          return isDrawn && line === charted ? (
            <Fragment key={key}>
              <ChartHead evidence={line}>{run !== undefined && <RunLine run={run} />}</ChartHead>
              <div className={classes.charted}>
                <DecidingChart evidence={line} />
              </div>
            </Fragment>
          ) : (
            <div key={key} className={classes.metricLine}>
              <EvidenceLine evidence={line} isShort />
            </div>
          );
        })}
      {checks.length > 0 && (
        <ul className={classes.checks} aria-label="Checks">
          {checks.map((line) => (
            <Check key={`${line.runUid} ${line.metric}`} evidence={line} />
          ))}
        </ul>
      )}
      {passing.length > 0 && (
        <ul className={classes.passing} aria-label="Passing metrics">
          {passing.map((line) => (
            <PassingMetric key={`${line.runUid} ${line.metric}`} evidence={line} />
          ))}
        </ul>
      )}
    </section>
  );
}

function RunLine({ run }: { run: ShownRun }) {
  return (
    <span className={classes.runLine}>
      <span>
        <RunTimes run={run} />
      </span>
      <MeasurementsLink run={run} />
    </span>
  );
}

/** Returns whether a metric's controller gives results without values, as Flagger for its checks that pass. */
function isCheck({ values, last }: MetricEvidence): boolean {
  return last === null && values.length > 0 && values.every((value) => value === null);
}

const tick = 12;
const mostTicks = 20;

/** Shows a check without values in one line: its results as ticks if all passed, their number, and its limits. */
function Check({ evidence }: { evidence: MetricEvidence }) {
  const { metric, pass, fail, summary } = evidence;
  const [, passed, count] = /^(\d{1,9}) of (\d{1,9}) measurements successful$/.exec(summary) ?? [];
  const ticks = passed === count ? Math.min(Number(count ?? 0), mostTicks) : 0;
  return (
    <li>
      <span className={classes.chartedMetric}>{metric}</span>
      <svg width={ticks * tick} height={tick} aria-hidden="true">
        <PointCloud
          places={Array.from({ length: ticks }, (_, at) => ({ x: (at + 0.5) * tick, y: tick / 2 }))}
          phase="Successful"
          size={5}
        />
      </svg>
      <span>{shortSummary(summary)}</span>
      <span className={classes.checkLimits}>
        <Rule word="pass" condition={pass} /> <Rule word="fail" condition={fail} />
      </span>
    </li>
  );
}

function PassingMetric({ evidence }: { evidence: MetricEvidence }) {
  const { metric, values, last, lastPhase, thresholds, summary } = evidence;
  return (
    <li className={classes.passingMetric}>
      <StateIcon state="successful" size={14} /> {metric}
      {last === null ? <span>{shortSummary(summary)}</span> : <EvidenceValue evidence={evidence} />}
      <Sparkline values={values} lastPhase={lastPhase} thresholds={thresholds} label={describeEvidence(evidence)} />
    </li>
  );
}
