import { Skeleton } from "@mantine/core";
import dynamic from "next/dynamic";
import { Fragment } from "react";
import { hasShape, Sparkline } from "#components/charts/sparkline.tsx";
import { ChartHead } from "#components/rollouts/chart-head.tsx";
import { findDecidingMetric } from "#components/rollouts/prepare-release-runs.ts";
import classes from "#components/rollouts/rollouts.module.css";
import { describeEvidence, EvidenceLine, EvidenceValue, shortSummary } from "#components/ui/evidence-line.tsx";
import { StateIcon } from "#components/ui/state-badge.tsx";
import type { MetricEvidence } from "#lib/contract/evidence.ts";
import type { RolloutDetail } from "#lib/contract/rollout.ts";

const DecidingChart = dynamic(
  () => import("#components/rollouts/deciding-chart.tsx").then((module) => module.DecidingChart),
  { ssr: false, loading: () => <Skeleton height={240} aria-hidden="true" /> },
);

/**
 * Shows the metrics behind a wait next to its buttons: a line for each that does not pass, the chart of the first one,
 * and the passing ones side by side.
 */
export function DecidingMetrics({ rollout }: { rollout: RolloutDetail }) {
  const { attention, evidence, releaseRuns } = rollout;
  if (attention === null || evidence.length === 0) return null;
  const charted = findDecidingMetric(rollout);
  const contradicted = new Set(releaseRuns.flatMap(({ uid, contradiction }) => (contradiction ? [uid] : [])));
  // A success that the measurements contradict is shown with its numbers instead.
  const passing = evidence.filter(({ phase, runUid }) => phase === "Successful" && !contradicted.has(runUid));
  return (
    <section className={classes.panel} aria-label="Deciding metrics">
      {evidence
        .filter((line) => !passing.includes(line))
        .map((line) => {
          const key = `${line.runUid} ${line.metric}`;
          return line === charted && hasShape(line.values) ? (
            <Fragment key={key}>
              <ChartHead evidence={line} />
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
