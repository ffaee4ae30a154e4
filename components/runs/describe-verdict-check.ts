import type { AnalysisRunDetail } from "#lib/contract/analysis-run.ts";
import { isCompleted } from "#lib/domain/delivery/run-phase.ts";

export type CheckSign = "agrees" | "contradicts" | "ended-early" | "undecided" | "due";
export type CheckWords = {
  sign: CheckSign;
  words: string;
  /** Shown in place of the sentence if there is nothing to know. */
  short?: string;
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
}: Pick<AnalysisRunDetail, "phase" | "verdictCheck">): CheckWords | undefined {
  if (!isCompleted(phase)) return undefined;
  if (verdictCheck === null)
    return { sign: "due", words: "Not verified yet.", short: "Not verified yet", findings: [] };
  return {
    sign: verdictCheck.state,
    words: stateWords[verdictCheck.state],
    ...(verdictCheck.state === "agrees" ? { short: "Verdict verified" } : {}),
    findings: verdictCheck.findings.map(({ metric, seq, rule, text }) => ({
      key: [rule, metric, seq].join(" "),
      text: metric === undefined ? text : `${metric}: ${text}`,
    })),
  };
}
