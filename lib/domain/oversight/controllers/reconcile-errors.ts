import { type ControllerFacts, ruleSamplesMs } from "#lib/domain/controllers/facts.ts";
import { type Increase, sumIncreases } from "#lib/domain/controllers/increases.ts";
import { listIncreases } from "#lib/domain/controllers/list-increases.ts";
import type { Found, Rule } from "#lib/domain/oversight/rule.ts";
import { controllerEvidence, formatTime } from "./controller-evidence.ts";

const windowMs = 300_000;
const fewestErrors = 10;
const leastShare = 0.2;

/** Finds a controller that fails at a large part of its work. */
export const reconcileErrors: Rule<ControllerFacts> = {
  id: "controller-reconcile-errors",
  about: "controller",
  severity: "warning",
  name: "Burst of reconcile errors",
  explanation:
    "A controller that fails to reconcile does not move its rollouts, although its pods are ready. Found if at least 10 reconciles fail within five minutes, and at least a fifth of all, if the controller counts all.",
  advice: "Read the controller's log for the objects that it fails at. Often the API server or a webhook refuses it.",
  find(facts): Found[] {
    const { component, now } = facts;
    const since = Date.parse(now) - windowMs;
    const errors = component.series.find(({ shows }) => shows === "errors");
    if (errors === undefined) return [];
    const increases = listRecent(facts, errors.key).flatMap((each) => each.increases);
    const failed = Math.round(sumIncreases(increases, since));
    const all = countWork(facts, since);
    if (failed < fewestErrors || (all !== undefined && failed < all * leastShare)) return [];
    return [
      {
        key: "errors",
        severity: "warning",
        title: `${errors.label}: at least ${fewestErrors} within five minutes`,
        since: formatTime(findBeginning(increases, since)),
        evidence: [
          controllerEvidence(facts),
          { label: errors.label, value: all === undefined ? `${failed}` : `${failed} of ${Math.round(all)}` },
        ],
      },
    ];
  },
};

/**
 * Returns when the errors began that count now: those before belong to them as long as no window without errors is in
 * between. An increase that took longer counts from the window's beginning on.
 */
function findBeginning(increases: readonly Increase[], since: number): number {
  const last = increases.filter(({ value }) => value > 0).toSorted((one, other) => other.to - one.to);
  let beginning = Number.POSITIVE_INFINITY;
  for (const { from, to } of last) {
    if (to <= Math.min(beginning, since + windowMs) - windowMs) break;
    beginning = Math.min(beginning, Math.max(from, to - windowMs));
  }
  return beginning;
}

/** Counts all reconciles; undefined if the controller does not. */
function countWork(facts: ControllerFacts, since: number): number | undefined {
  const work = facts.component.series.find(({ shows, kind }) => shows === "latency" && kind === "histogram");
  const counts = work === undefined ? [] : listRecent(facts, work.key).filter(({ labels }) => labels.of === "count");
  if (counts.length === 0) return undefined;
  return counts.reduce((sum, { increases }) => sum + sumIncreases(increases, since), 0);
}

function listRecent({ samples, now }: ControllerFacts, key: string) {
  return listIncreases(samples, key, { from: Date.parse(now) - ruleSamplesMs.others });
}
