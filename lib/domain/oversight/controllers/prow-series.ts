import { type ControllerFacts, findSeries, type StoredSeries } from "#lib/domain/controllers/facts.ts";
import { computeIncreases, type Increase, type Point } from "#lib/domain/controllers/increases.ts";
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
  const starts = pointsOf(facts, statusReconcilerSeries.start).map(({ value }) => value * 1000);
  const points: Point[] = [];
  let loadedAt = Number.NEGATIVE_INFINITY;
  for (const point of pointsOf(facts, statusReconcilerSeries.presubmits)) {
    const startedAt = starts.findLast((start) => start <= point.at);
    if (point.value === 0 && (startedAt === undefined ? points.length === 0 : startedAt > loadedAt)) continue;
    loadedAt = point.at;
    points.push(point);
  }
  return points;
}

/** Returns by how much the counter of retired contexts rose, in all. Empty if it is not available. */
export function retirements(facts: ControllerFacts): Increase[] {
  return increasesOf(facts, findSeries(facts, statusReconcilerSeries.retired)[0]);
}

export type RepoRetirements = { repo: string; increases: Increase[] };

/** The same for each repository; empty if there are too many to keep apart. */
export function retirementsByRepo(facts: ControllerFacts): RepoRetirements[] {
  return findSeries(facts, statusReconcilerSeries.retiredByRepo).map((series) => ({
    repo: `${series.labels.org}/${series.labels.repo}`,
    increases: increasesOf(facts, series),
  }));
}

/** The counter appears with its first retirement; the presubmits were there before, and are its marks. */
function increasesOf(facts: ControllerFacts, series: StoredSeries | undefined): Increase[] {
  const marks = pointsOf(facts, statusReconcilerSeries.presubmits).map(({ at }) => at);
  return series === undefined ? [] : computeIncreases(series.points, marks).filter(({ value }) => value > 0);
}

function pointsOf(facts: ControllerFacts, key: string): readonly Point[] {
  return findSeries(facts, key)[0]?.points ?? [];
}
