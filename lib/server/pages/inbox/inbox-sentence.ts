import type { MetricEvidence } from "#lib/contract/evidence.ts";
import { explainAbort, explainPause, readSentence } from "#lib/domain/controller-words.ts";
import { formatSkippedGates, type SkippedGate } from "#lib/domain/delivery/observation.ts";
import { currentStepNumber } from "#lib/domain/delivery/step-words.ts";
import { nextTags, readImageTag } from "#lib/domain/kube/read-image-version.ts";
import { showValue } from "#lib/domain/units/show-value.ts";
import { maxMetrics, type WorstFinding } from "#lib/server/pages/inbox/inbox-evidence.ts";
import type { RolloutRow } from "#lib/server/records/rollout-row.ts";
import { cutText } from "#lib/util/text.ts";
import { endSentence } from "#lib/util/words.ts";

type SentenceRow = Pick<
  RolloutRow,
  "kind" | "attention_reason" | "step" | "step_count" | "abort_point" | "message" | "images"
>;

/** Describes the wait: `success-rate is Inconclusive at step 4 of 8: 4 of 13 measurements were inconclusive (3 allowed).` */
export function formatInboxSentence({
  row,
  evidence,
  skippedGates = [],
  finding,
}: {
  row: SentenceRow;
  evidence: readonly MetricEvidence[];
  /** Gates of this release that the controller skipped. */
  skippedGates?: readonly Pick<SkippedGate, "step" | "why">[];
  /** The finding that it waits for. */
  finding?: Pick<WorstFinding, "title" | "runUid"> | undefined;
}): string {
  if (row.attention_reason === "finding" && finding !== undefined) {
    const bad = evidence.filter(({ runUid, lastPhase }) => runUid === finding.runUid && lastPhase === "Failed");
    const { title } = finding;
    return bad.length === 0 ? `${title}.` : `${title}: ${listBadValues(bad)}.`;
  }
  const sentence = formatWait(row, evidence);
  if (skippedGates.length === 0) return sentence;
  const skipped = `${formatSkippedGates(skippedGates)}.`;
  return row.attention_reason === "finding" ? skipped : `${sentence} ${skipped}`;
}

/** More metrics would hide the finding. */
const shownMetrics = 2;

function listBadValues(bad: readonly MetricEvidence[]): string {
  const more = bad.length - shownMetrics;
  return `${bad.slice(0, shownMetrics).map(formatBadValue).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** Formats "success-rate 82.15 % (fail < 90 %)". */
function formatBadValue({ metric, last, unit, thresholds, fail }: MetricEvidence): string {
  const limits = thresholds.map(({ value }) => value);
  const value = last === null ? "" : ` ${showValue(last, unit, limits)}`;
  return `${metric}${value}${fail === null ? "" : ` (fail ${cutText(fail, 60)})`}`;
}

function formatWait(row: SentenceRow, evidence: readonly MetricEvidence[]): string {
  const sentence = readSentence(row.kind, row.message);
  if (sentence !== undefined) return sentence;
  const place = formatStep(row);
  switch (row.attention_reason) {
    case "inconclusive": {
      const undecided = evidence.filter((item) => item.phase === "Inconclusive");
      const [first = { metric: "Its analysis", summary: "" }] = undecided;
      if (undecided.length > 1) return `${undecided.map(({ metric }) => metric).join(", ")} are Inconclusive${place}.`;
      return `${first.metric} is Inconclusive${place}${first.summary === "" ? "" : `: ${first.summary}`}.`;
    }
    case "pause":
      return explainPause(row.message, place) ?? `Waiting for a person to continue${place}.`;
    case "blueGreenPromotion":
      return formatReady(row, evidence);
    case "gate":
      return `A gate is waiting for a person${place}.`;
    case "degraded":
      if (row.message === "") return `Degraded${place}.`;
      return formatAbort(row.message, place) ?? `Degraded${place}: ${row.message}`;
    case "finding":
    case null:
      return row.message === "" ? `Needs attention${place}.` : `${row.message}${place}`;
  }
}

/** Says "v6.2.0 is ready: 2 of 2 metrics passed." Without evidence, or if some was left out, it counts nothing. */
function formatReady({ images }: SentenceRow, evidence: readonly MetricEvidence[]): string {
  const next = images.find(({ tags }) => tags.some((tag) => nextTags.includes(tag)))?.image;
  const version = (next === undefined ? undefined : readImageTag(next)) ?? "The new version";
  if (evidence.length === 0 || evidence.length >= maxMetrics) return `${version} is ready for promotion.`;
  const passed = evidence.filter(({ phase }) => phase === "Successful").length;
  return `${version} is ready: ${passed} of ${evidence.length} ${evidence.length === 1 ? "metric" : "metrics"} passed.`;
}

function formatAbort(message: string, place: string): string | undefined {
  const words = explainAbort(message, place);
  return words && endSentence(words);
}

function formatStep({ step, step_count: stepCount, abort_point: abortPoint }: SentenceRow): string {
  const number = currentStepNumber({ step, stepCount, abortPoint });
  return number === null ? "" : ` at step ${number} of ${stepCount}`;
}
