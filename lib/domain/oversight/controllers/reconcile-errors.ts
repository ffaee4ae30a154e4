import { scrapeMark } from "#lib/domain/controllers/component.ts";
import { type ControllerFacts, findSeries } from "#lib/domain/controllers/facts.ts";
import { computeIncreases, sumIncreases } from "#lib/domain/controllers/increases.ts";
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
    const marks = findSeries(facts, scrapeMark.key).flatMap(({ points }) => points.map(({ at }) => at));
    const increases = findSeries(facts, errors.key).flatMap(({ points }) => computeIncreases(points, marks));
    const failed = Math.round(sumIncreases(increases, since));
    const all = countWork(facts, since, marks);
    if (failed < fewestErrors || (all !== undefined && failed < all * leastShare)) return [];
    const first = increases.filter(({ value }) => value > 0).map(({ to }) => to);
    return [
      {
        key: "errors",
        severity: "warning",
        title: `${errors.label}: at least ${fewestErrors} within five minutes`,
        since: formatTime(Math.min(...first)),
        evidence: [
          controllerEvidence(facts),
          { label: errors.label, value: all === undefined ? `${failed}` : `${failed} of ${Math.round(all)}` },
        ],
      },
    ];
  },
};

/** Counts all reconciles; undefined if the controller does not. */
function countWork(facts: ControllerFacts, since: number, marks: readonly number[]): number | undefined {
  const work = facts.component.series.find(({ shows, kind }) => shows === "latency" && kind === "histogram");
  const counts = work === undefined ? [] : findSeries(facts, work.key).filter(({ labels }) => labels.of === "count");
  if (counts.length === 0) return undefined;
  return counts.reduce((sum, { points }) => sum + sumIncreases(computeIncreases(points, marks), since), 0);
}
