import classes from "#components/rollouts/rollouts.module.css";
import { EvidenceValue, Rule, ShortLimit } from "#components/ui/evidence-line.tsx";
import type { MetricEvidence } from "#lib/contract/evidence.ts";

/**
 * Names the metric of the chart below, with its last value. The chart shows its limits and which measurement exceeded
 * one: only what it does not show is said here.
 */
export function ChartHead({ evidence, children }: { evidence: MetricEvidence; children?: React.ReactNode }) {
  const { metric, pass, fail, thresholds, limit, summary } = evidence;
  const isDrawn = (wanted: "success" | "failure") => thresholds.some(({ condition }) => condition === wanted);
  return (
    <div className={classes.chartHead}>
      <span className={classes.chartedMetric}>{metric}</span>
      <EvidenceValue evidence={evidence} />
      {!isDrawn("success") && <Rule word="pass" condition={pass} />}
      {!isDrawn("failure") && <Rule word="fail" condition={fail} />}
      {isExceeded(limit) ? (
        <span className="visually-hidden">{summary}</span>
      ) : (
        <ShortLimit limit={limit} summary={summary} />
      )}
      {children}
    </div>
  );
}

function isExceeded(limit: MetricEvidence["limit"]): boolean {
  if (limit === null || limit.limit === "") return false;
  const most = Number(limit.limit);
  return most >= 0 && limit.used > most;
}
