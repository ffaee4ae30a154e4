import type { Finding } from "#lib/domain/delivery/verdict-check.ts";
import { findEndOfConcern } from "#lib/domain/oversight/end-of-concern.ts";
import type { FactRun, RolloutFacts } from "#lib/domain/oversight/rollout-facts.ts";
import type { Evidence, FindingSeverity, Found, Rule } from "#lib/domain/oversight/rule.ts";

/** The recorded verdict of a run does not follow from its recorded rules and measurements. */
export const verdictContradicts: Rule<RolloutFacts> = {
  id: "verdict-contradicts",
  about: "rollout",
  severity: "critical",
  name: "Verdict mismatch",
  badge: "Verdict mismatch",
  explanation:
    "Replaying the run's own rules on the recorded measurements gives another verdict than the controller's. Either the controller is wrong or the status was written by hand.",
  advice:
    "Judge the version by its measurements, not by this verdict. If it is live, roll back, or acknowledge this finding with the reason why it may stay.",
  find: (facts) =>
    facts.runs
      .filter(({ verdict }) => verdict?.state === "contradicts")
      .map((run) =>
        toFound({
          facts,
          run,
          severity: run.phase === "Successful" ? "critical" : "warning",
          title: `Marked ${run.phase}, but its measurements disagree (${describeRun(run).toLowerCase()})`,
          texts: textsOf(run, (finding) => finding.kind === "contradiction" && !isPartOf(run, finding)),
        }),
      ),
};

/** Where the result of a metric is contradicted, this covers its measurements and the result of the run. */
function isPartOf({ verdict }: FactRun, { rule, metric }: Finding): boolean {
  const others = verdict?.findings.filter((each) => each.rule === "metric") ?? [];
  return rule !== "metric" && others.some((each) => rule === "run" || each.metric === metric);
}

/** A run is Successful without a measurement that supports it. */
export const nothingMeasured: Rule<RolloutFacts> = {
  id: "nothing-measured",
  about: "rollout",
  severity: "warning",
  name: "Passed without a good measurement",
  explanation:
    "A run counts as Successful although nothing was measured, or no measurement was good: each failed, was in error, was ended before it had a result, or was accepted without being evaluated. The release went on as if it had been checked.",
  advice: "Check the metric's source and its initial delay. Judge the version by other means before you trust it.",
  find: (facts) =>
    facts.runs
      // A contradicted verdict is another finding about the same run.
      .filter((run) => run.phase === "Successful" && isWeak(run) && run.verdict?.state !== "contradicts")
      .filter((run) => !wasCutByAbort(run, facts))
      .map((run) =>
        toFound({
          facts,
          run,
          severity: run.verdict?.state === "ended-early" && !wasPromoted(run, facts) ? "info" : "warning",
          title: `${describeRun(run)} is Successful without a good measurement`,
          texts: textsOf(run, ({ rule }) => weakRules.includes(rule)),
        }),
      ),
};

const weakRules: readonly Finding["rule"][] = ["no-success", "nothing-measured"];

function isWeak({ verdict }: FactRun): boolean {
  return verdict?.findings.some(({ rule }) => weakRules.includes(rule)) ?? false;
}

/** An abort ends the runs of its release, which makes them Successful; nobody relies on that. */
function wasCutByAbort(run: FactRun, facts: RolloutFacts): boolean {
  return stateOf(run, facts) === "aborted";
}

/** The version is in use: the end of the release is the ordinary end of a background run, and no excuse. */
function wasPromoted(run: FactRun, facts: RolloutFacts): boolean {
  return stateOf(run, facts) === "promoted";
}

function stateOf({ runKey }: FactRun, { releases }: RolloutFacts) {
  return releases.findLast((release) => release.runKey === runKey)?.state;
}

function textsOf({ verdict }: FactRun, isWanted: (finding: Finding) => boolean): string[] {
  return (verdict?.findings ?? [])
    .filter(isWanted)
    .map(({ metric, text }) => (metric === undefined ? text : `${metric}: ${text}`));
}

const maxTexts = 5;

function toFound({
  facts,
  run,
  severity,
  title,
  texts,
}: {
  facts: RolloutFacts;
  run: FactRun;
  severity: FindingSeverity;
  title: string;
  texts: readonly string[];
}): Found {
  const since = run.completedAt ?? run.createdAt;
  const over = run.runKey === null ? undefined : findEndOfConcern(facts, { runKey: run.runKey, since });
  const more = texts.length - maxTexts;
  return {
    key: run.uid,
    severity,
    title,
    since,
    evidence: [
      ...evidenceOfRun(run),
      ...texts.slice(0, maxTexts).map((value): Evidence => ({ label: "Check", value })),
      ...(more > 0 ? [{ label: "Check", value: `and ${more} more` }] : []),
    ],
    ...(run.runKey === null ? {} : { runKey: run.runKey }),
    runUid: run.uid,
    ...(over === undefined ? {} : { over }),
  };
}

const titles: Readonly<Record<FactRun["type"], string>> = {
  Step: "Step analysis",
  Background: "Background analysis",
  PrePromotion: "Pre-promotion analysis",
  PostPromotion: "Post-promotion analysis",
  Experiment: "An experiment's analysis",
  Manual: "Analysis",
  Release: "Release analysis",
};

/** Formats "Step analysis" or "Step analysis of step 3". */
export function describeRun({ type, stepIndex }: Pick<FactRun, "type" | "stepIndex">): string {
  return type === "Step" && stepIndex !== null ? `${titles[type]} of step ${stepIndex + 1}` : titles[type];
}

/** Returns the run itself as evidence. */
export function evidenceOfRun(run: Pick<FactRun, "uid" | "name" | "phase" | "completedAt">): Evidence[] {
  const { uid, name, phase, completedAt } = run;
  const value = `${name}: ${phase}`;
  return [{ label: "Run", value, ...(completedAt === null ? {} : { at: completedAt }), link: { to: "run", uid } }];
}
