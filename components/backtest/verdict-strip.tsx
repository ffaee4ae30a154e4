import Link from "next/link";
import classes from "#components/backtest/backtest.module.css";
import { classifyVerdict, isChanged } from "#components/backtest/describe-backtest.ts";
import { StateIcon } from "#components/ui/state-badge.tsx";
import { runHref } from "#lib/client/rollout-path.ts";
import type { BacktestRun, BacktestVerdict } from "#lib/contract/backtest.ts";

/** More marks than this say no more than the table. */
const maxMarks = 240;

/** Draws a column per run, oldest first: the recorded verdict above, the one under the proposal below. */
export function VerdictStrip({ runs }: { runs: readonly BacktestRun[] }) {
  const shown = runs.slice(0, maxMarks).toReversed();
  return (
    <figure className={classes.strip}>
      <figcaption className={classes.stripLabels} aria-hidden="true">
        <span>recorded</span>
        <span>proposed</span>
      </figcaption>
      <ol className={classes.marks} aria-label="Verdicts of the runs, oldest first: recorded, then under the proposal">
        {shown.map((run) => (
          <li key={run.uid} data-changed={isChanged(run) || undefined}>
            <Link href={runHref(run.uid)} title={nameMarks(run)} aria-label={nameMarks(run)} prefetch={false}>
              <Mark phase={run.recorded.run} />
              <Mark phase={run.proposed.run.phase} />
            </Link>
          </li>
        ))}
      </ol>
    </figure>
  );
}

function Mark({ phase }: { phase: BacktestVerdict["phase"] }) {
  const { state } = classifyVerdict(phase);
  return (
    <span className={classes.mark}>
      <StateIcon state={state} size={14} />
    </span>
  );
}

function nameMarks({ name, recorded, proposed }: BacktestRun): string {
  return `${name}: recorded ${recorded.run}, under the proposal ${classifyVerdict(proposed.run.phase).word}`;
}
