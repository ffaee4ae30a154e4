import { Text } from "@mantine/core";
import classes from "#components/runs/runs.module.css";
import { HostileText } from "#components/ui/hostile-text.tsx";
import { IconHandStop, IconHelpCircle, IconScaleOutline, IconScaleOutlineOff } from "#components/ui/icons.tsx";
import { useIsPrinting } from "#components/ui/watch-print.ts";
import type { AnalysisRunDetail } from "#lib/contract/analysis-run.ts";
import { isCompleted } from "#lib/domain/delivery/run-phase.ts";

const signs: Record<CheckSign, typeof IconScaleOutline> = {
  agrees: IconScaleOutline,
  contradicts: IconScaleOutlineOff,
  "ended-early": IconHandStop,
  undecided: IconHelpCircle,
  due: IconHelpCircle,
};

type VerdictCheckLineProps = {
  run: AnalysisRunDetail;
  /** Shown with the details of a contradicted verdict. */
  children?: React.ReactNode;
};

/** Shows whether the recorded measurements support the verdict, and the findings of the check. */
export function VerdictCheckLine({ run, children }: VerdictCheckLineProps) {
  const check = describeVerdictCheck(run);
  const isPrinting = useIsPrinting();
  if (check === undefined) return null;
  const Sign = signs[check.sign];
  return (
    <section className={classes.check} aria-label="Verdict check">
      <Sign size={16} className={classes.checkSign} aria-hidden="true" />
      <div>
        {check.sign === "contradicts" ? (
          <details className={classes.fold} open={isPrinting}>
            <summary>
              <strong>{check.short}</strong>: details of the check
            </summary>
            {check.words}
            <Findings lines={check.findings} />
            {children}
          </details>
        ) : (
          <>
            {check.short === undefined ? (
              <Text size="sm">{check.words}</Text>
            ) : (
              <Text size="sm" c="dimmed" title={check.words}>
                {check.short}
              </Text>
            )}
            <Findings lines={check.findings} />
          </>
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
  /** Shown in place of the sentence: nothing is to know, or the verdict in the title says it. */
  short?: string;
  findings: { key: string; text: string }[];
};

const stateWords = {
  agrees: "Verdict verified: replaying the recorded measurements gives the same result.",
  contradicts: "Verdict mismatch: replaying the recorded measurements does not give the recorded result.",
  "ended-early": "Ended early: the run was terminated (spec.terminate), so its verdict is weaker evidence.",
  undecided: "Unknown: the verdict cannot be checked against the record.",
};

const shortWords: Partial<typeof stateWords> = {
  agrees: "Verdict verified by replaying its measurements",
  contradicts: "Verdict mismatch",
};

/** Describes the result of the verdict check; undefined while there is no verdict to check. */
export function describeVerdictCheck({
  phase,
  verdictCheck,
}: Pick<AnalysisRunDetail, "phase" | "verdictCheck">): CheckWords | undefined {
  if (!isCompleted(phase)) return undefined;
  if (verdictCheck === null)
    return { sign: "due", words: "Not verified yet.", short: "Not verified yet", findings: [] };
  const short = shortWords[verdictCheck.state];
  return {
    sign: verdictCheck.state,
    words: stateWords[verdictCheck.state],
    ...(short === undefined ? {} : { short }),
    findings: verdictCheck.findings.map(({ metric, seq, rule, text }) => ({
      key: [rule, metric, seq].join(" "),
      text: metric === undefined ? text : `${metric}: ${text}`,
    })),
  };
}
