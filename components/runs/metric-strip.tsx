import { describeLimits } from "#components/runs/describe-limits.ts";
import { metricHref } from "#components/runs/metric-anchor.ts";
import classes from "#components/runs/runs.module.css";
import { classifyAnalysis } from "#components/ui/classify-state.ts";
import { measuredPhaseOf } from "#components/ui/order-metrics.ts";
import { Pips, wordUse } from "#components/ui/pips.tsx";
import { StateIcon } from "#components/ui/state-badge.tsx";
import type { RunMetric } from "#lib/contract/analysis-run.ts";

/** So many are in view, or nearly, without links to them. */
const fewMetrics = 4;

/** Links to each metric of the page, in the page's order, with its verdict and the first limit that it uses, as pips. */
export function MetricStrip({ metrics }: { metrics: readonly RunMetric[] }) {
  if (metrics.length <= fewMetrics) return null;
  return (
    <nav aria-label="Metrics">
      <ul className={classes.strip}>
        {metrics.map((metric) => {
          const { state, word } = classifyAnalysis(measuredPhaseOf(metric));
          return (
            <li key={metric.name}>
              <a href={metricHref(metric.name)} className={classes.chip}>
                <StateIcon state={state} size={14} />
                <span className={classes.chipName}>{metric.name}</span>
                <span className="visually-hidden">{`: ${word}`}</span>
                <Used metric={metric} />
              </a>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

function Used({ metric }: { metric: RunMetric }) {
  const line = describeLimits(metric).find(({ used, isGoal }) => used > 0 && !isGoal);
  if (metric.dryRun) return <span className={classes.chipNote}>dry run</span>;
  if (line === undefined) return null;
  return (
    <span className={classes.chipNote} title={wordUse(line)}>
      <Pips used={line.used} limit={line.limit} />
      <span className="visually-hidden">, {wordUse(line)}</span>
    </span>
  );
}
