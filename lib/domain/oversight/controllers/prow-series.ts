import { type ControllerFacts, findSeries, ruleSamplesMs } from "#lib/domain/controllers/facts.ts";
import { type Increase, type Point, readStarts } from "#lib/domain/controllers/increases.ts";
import { type LabelledIncreases, listIncreases, listStarts } from "#lib/domain/controllers/list-increases.ts";
import { statusReconciler, statusReconcilerSeries } from "#lib/domain/prow/components.ts";

/** The rules look back for a day, at most as far as every scrape is kept. */
export const lookBackMs = 23 * 3_600_000;

export function isStatusReconciler({ component }: ControllerFacts): boolean {
  return component.name === statusReconciler;
}

/**
 * Returns the loaded presubmits, oldest first. A gauge is 0 from the start of the process until its first config delta:
 * such a 0 says nothing, and is left out.
 */
export function loadedPresubmits(facts: ControllerFacts): Point[] {
  const started = readStarts(listStarts(facts.samples));
  const points: Point[] = [];
  let loadedBy: number | undefined;
  for (const point of findSeries(facts, statusReconcilerSeries.presubmits)[0]?.points ?? []) {
    const start = started(point.at);
    if (point.value === 0 && (points.length === 0 || start !== loadedBy)) continue;
    loadedBy = start;
    points.push(point);
  }
  return points;
}

/** Returns by how much the counter of retired contexts rose, in all. Empty if it is not available. */
export function retirements(facts: ControllerFacts): Increase[] {
  return increasesOf(facts, statusReconcilerSeries.retired).flatMap(({ increases }) => increases);
}

export type RepoRetirements = { repo: string; increases: Increase[] };

/** The same for each repository; empty if there are too many to keep apart. */
export function retirementsByRepo(facts: ControllerFacts): RepoRetirements[] {
  return increasesOf(facts, statusReconcilerSeries.retiredByRepo).map(({ labels, increases }) => ({
    repo: `${labels.org}/${labels.repo}`,
    increases,
  }));
}

/**
 * The counter appears with its first retirement; the presubmits were there before, and are its marks. The marks of all
 * scrapes reach back for minutes only: what began then would seem to begin at another time later.
 */
function increasesOf({ samples, now }: ControllerFacts, key: string): LabelledIncreases[] {
  const from = Date.parse(now) - ruleSamplesMs.lookBack;
  return listIncreases(samples, key, { from, markKeys: [statusReconcilerSeries.presubmits] }).map((each) => ({
    ...each,
    increases: each.increases.filter(({ value }) => value > 0),
  }));
}
