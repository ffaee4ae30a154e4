import type { AnalysisRunDetail } from "#lib/contract/analysis-run.ts";
import { isCompleted } from "#lib/domain/argo/analysis/phase.ts";

export type CheckSign = "agrees" | "contradicts" | "ended-early" | "undecided" | "due";
export type CheckWords = { sign: CheckSign; words: string; findings: { key: string; text: string }[] };

const stateWords = {
  agrees: "Replayed: the recorded rules on the recorded measurements give the same verdict.",
  contradicts: "Contradiction: the recorded rules on the recorded measurements do not give this verdict.",
  "ended-early":
    "Ended early: the run was told to end (spec.terminate) before its rules ended it, so its verdict proves less.",
  undecided: "Not decided: the verdict cannot be checked against the record.",
};

/** What the verdict check found, in words; undefined while there is no verdict to check. */
export function describeVerdictCheck({
  phase,
  verdictCheck,
}: Pick<AnalysisRunDetail, "phase" | "verdictCheck">): CheckWords | undefined {
  if (!isCompleted(phase)) return undefined;
  if (verdictCheck === null) return { sign: "due", words: "Not replayed yet.", findings: [] };
  return {
    sign: verdictCheck.state,
    words: stateWords[verdictCheck.state],
    findings: verdictCheck.findings.map(({ metric, seq, rule, text }) => ({
      key: [rule, metric, seq].join(" "),
      text: metric === undefined ? text : `${metric}: ${text}`,
    })),
  };
}
