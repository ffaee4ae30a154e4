import type { ControllerFacts } from "#lib/domain/controllers/facts.ts";
import { type Point, sumIncreases } from "#lib/domain/controllers/increases.ts";
import type { Found, Rule } from "#lib/domain/oversight/rule.ts";
import { statusReconcilerSeries } from "#lib/domain/prow/components.ts";
import { controllerEvidence, formatTime } from "./controller-evidence.ts";
import { isStatusReconciler, loadedPresubmits, lookBackMs, retirements } from "./prow-series.ts";

/** A directory that empties may be loaded in parts. */
const withinMs = 300_000;
const fewest = 10;
/** A count that is back at this share has recovered. */
const recoveredShare = 0.75;

/** Finds a status-reconciler that loaded a config without most of its presubmits. */
export const prowPresubmitsCollapsed: Rule<ControllerFacts> = {
  id: "prow-presubmits-collapsed",
  about: "controller",
  severity: "critical",
  name: "Loaded presubmits collapsed",
  explanation:
    "Prow's status-reconciler retires the contexts of presubmits that are gone from its config: it turns required checks green. A config that was loaded from a missing or partial directory looks as if most presubmits had been removed. Found if the number of loaded presubmits falls by half or more, from at least 10, between two scrapes or within five minutes.",
  advice:
    "Stop status-reconciler now (scale it to 0) unless these jobs were removed on purpose. Then compare its config directory with the repository, and find the pull requests whose contexts were retired.",
  find(facts): Found[] {
    if (!isStatusReconciler(facts)) return [];
    const points = loadedPresubmits(facts);
    const earliest = Date.parse(facts.now) - lookBackMs;
    const found: Found[] = [];
    for (let index = 1; index < points.length; index++) {
      const point = points[index];
      const reference = point === undefined ? undefined : referenceOf(points, index);
      if (point === undefined || reference === undefined || point.at < earliest) continue;
      if (reference.value < fewest || point.value > reference.value / 2) continue;
      const later = points.slice(index + 1);
      const recovered = later.find(({ value }) => value >= reference.value * recoveredShare);
      found.push(toFound({ facts, point, reference, recovered, last: later.at(-1) ?? point }));
      // Points until the recovery belong to the same collapse.
      if (recovered === undefined) break;
      index = points.indexOf(recovered);
    }
    return found;
  },
};

/** The point before, or the highest of the last minutes. */
function referenceOf(points: readonly Point[], index: number): Point | undefined {
  const at = points[index]?.at ?? 0;
  return points
    .slice(0, index)
    .filter((point, before) => before === index - 1 || at - point.at <= withinMs)
    .reduce<Point | undefined>(
      (highest, point) => (highest === undefined || point.value > highest.value ? point : highest),
      undefined,
    );
}

type Collapse = { facts: ControllerFacts; point: Point; reference: Point; recovered: Point | undefined; last: Point };

function toFound({ facts, point, reference, recovered, last }: Collapse): Found {
  const retired = sumIncreases(retirements(facts), reference.at);
  return {
    key: `collapse ${formatTime(point.at)}`,
    severity: "critical",
    title: `Loaded presubmits fell from ${reference.value} to ${point.value}`,
    since: formatTime(point.at),
    evidence: [
      { label: "Before", value: `${reference.value} presubmits`, at: formatTime(reference.at) },
      { label: "After", value: `${point.value} presubmits`, at: formatTime(point.at) },
      { label: "Now", value: `${last.value} presubmits` },
      {
        label: "Contexts retired since",
        value:
          facts.scrape?.presence[statusReconcilerSeries.retired] === "not-available"
            ? "not available"
            : String(Math.round(retired)),
      },
      controllerEvidence(facts),
    ],
    ...(recovered === undefined
      ? {}
      : { over: { at: formatTime(recovered.at), why: `The count is back at ${recovered.value}` } }),
  };
}
