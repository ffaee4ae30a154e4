import { Text } from "@mantine/core";
import classes from "#components/runs/runs.module.css";
import { HostileText } from "#components/ui/hostile-text.tsx";
import { IconHandStop, IconHelpCircle, IconScaleOutline, IconScaleOutlineOff } from "#components/ui/icons.tsx";
import { useIsPrinting } from "#components/ui/watch-print.ts";
import type { AnalysisRunDetail, RunMetric } from "#lib/contract/analysis-run.ts";
import { formatLimitUse } from "#lib/domain/delivery/limit-words.ts";
import { isCompleted } from "#lib/domain/delivery/run-phase.ts";

const signs: Record<CheckSign, typeof IconScaleOutline> = {
  agrees: IconScaleOutline,
  contradicts: IconScaleOutlineOff,
  "ended-early": IconHandStop,
  undecided: IconHelpCircle,
  due: IconHelpCircle,
};

/** Shows whether the recorded measurements support the verdict, and the findings of the check. */
export function VerdictCheckLine({ run }: { run: AnalysisRunDetail }) {
  const check = describeVerdictCheck(run);
  const isPrinting = useIsPrinting();
  if (check === undefined) return null;
  const Sign = signs[check.sign];
  return (
    <section className={classes.check} data-sign={check.sign} aria-label="Verdict check">
      <Sign size={16} className={classes.checkSign} aria-hidden="true" />
      <div>
        {check.short === undefined ? (
          <Text size="sm" fw={check.sign === "contradicts" ? 600 : undefined}>
            {check.words}
          </Text>
        ) : (
          <Text size="sm" c="dimmed" title={check.words}>
            {check.short}
          </Text>
        )}
        <Findings lines={check.metrics} />
        {check.metrics.length === 0 ? (
          <Findings lines={check.findings} />
        ) : (
          <details className={classes.fold} open={isPrinting}>
            <summary>Details of the check</summary>
            <Findings lines={check.findings} />
          </details>
        )}
      </div>
    </section>
  );
}

function Findings({ lines }: { lines: CheckWords["findings"] }) {
  if (lines.length === 0) return null;
  return (
    <ul className={classes.findings}>
      {lines.map(({ key, text }) => (
        <li key={key}>
          <HostileText text={text} />
        </li>
      ))}
    </ul>
  );
}

type CheckSign = "agrees" | "contradicts" | "ended-early" | "undecided" | "due";
type CheckWords = {
  sign: CheckSign;
  words: string;
  /** Shown in place of the sentence if there is nothing to know. */
  short?: string;
  /** A line for each metric whose recorded result its measurements contradict. */
  metrics: { key: string; text: string }[];
  findings: { key: string; text: string }[];
};

const stateWords = {
  agrees: "Verdict verified: replaying the recorded measurements gives the same result.",
  contradicts: "Verdict mismatch: replaying the recorded measurements does not give this result.",
  "ended-early": "Ended early: the run was terminated (spec.terminate), so its verdict is weaker evidence.",
  undecided: "Unknown: the verdict cannot be checked against the record.",
};

/** Describes the result of the verdict check; undefined while there is no verdict to check. */
export function describeVerdictCheck({
  phase,
  verdictCheck,
  metrics,
}: Pick<AnalysisRunDetail, "phase" | "verdictCheck"> & {
  metrics: readonly Pick<RunMetric, "name" | "phase" | "replayedPhase" | "counters" | "limits">[];
}): CheckWords | undefined {
  if (!isCompleted(phase)) return undefined;
  if (verdictCheck === null)
    return { sign: "due", words: "Not verified yet.", short: "Not verified yet", metrics: [], findings: [] };
  return {
    sign: verdictCheck.state,
    words: stateWords[verdictCheck.state],
    ...(verdictCheck.state === "agrees" ? { short: "Verdict verified by replaying its measurements" } : {}),
    metrics: metrics.flatMap(({ name, replayedPhase, ...metric }) =>
      replayedPhase === null
        ? []
        : [{ key: name, text: `${name}: ${formatLimitUse({ ...metric, phase: replayedPhase }) ?? replayedPhase}` }],
    ),
    findings: verdictCheck.findings.map(({ metric, seq, rule, text }) => ({
      key: [rule, metric, seq].join(" "),
      text: metric === undefined ? text : `${metric}: ${text}`,
    })),
  };
}
