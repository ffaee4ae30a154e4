import { describe, expect, it } from "vitest";
import { toObservation } from "#lib/domain/argo/history/delivery-state.ts";
import type { ArgoObservation, RolloutProjection } from "#lib/domain/argo/history/rollout-projection.ts";
import { observe, observeStates, timeOf } from "#lib/domain/argo/history/testing/sample-observations.ts";
import { foldRelease, noReleases, type Release, runKeysOf } from "./derive-releases.ts";
import { compareObservations } from "./derive-timeline.ts";
import { rolloutIdOf } from "./rollout-id.ts";
import { deriveReleases, deriveTimeline } from "./testing/derive-all.ts";

/**
 * The case table: changes that a controller writes, and the releases and events derived from them. A release reads
 * `key#attempt rRevision state begin-end message`, with observation numbers as times. The event of the first
 * observation is left out.
 */
import { casesOfSteps } from "./testing/release-cases-of-steps.ts";
import { casesOfTurns } from "./testing/release-cases-of-turns.ts";
import { created, firstSeen, second, stable } from "./testing/release-states.ts";

const cases = [...casesOfSteps, ...casesOfTurns];

const indexOf = (time: string | null): string =>
  time === null ? "" : String((Date.parse(time) - Date.parse(timeOf(0))) / 1000);

const describeRelease = ({ runKey, attempt, revision, state, startedAt, endedAt, message }: Release): string =>
  `${runKey}#${attempt} r${revision} ${state} ${indexOf(startedAt)}-${indexOf(endedAt)} ${message}`.trim();

describe("the releases and the timeline of", () => {
  it.each(cases)("$name", ({ changes, releases, events }) => {
    const observations = observeStates(...changes);
    expect(deriveReleases(observations).map(describeRelease)).toEqual(releases);
    const found = deriveTimeline(observations).map(({ kind, text }) => `${kind}: ${text}`);
    expect(found.slice(1)).toEqual(events);
  });

  it("an object re-created under the same name: another rollout, with releases of its own", () => {
    const key = { cluster: "c", namespace: "shop", kind: "Rollout", name: "checkout" };
    const [old, fresh] = ["u1", "u2"].map((uid) => rolloutIdOf({ ...key, uid }));
    expect(old).not.toBe(fresh);
    const before = observeStates(stable, second, { view: { isDeleted: true } });
    const after = observeStates(
      { ...created, uid: "u2" },
      { currentPodHash: "bbb", stableRS: "bbb", view: { revision: 1 } },
    );
    expect(deriveReleases(before).map(describeRelease)).toEqual([
      firstSeen,
      "bbb#1 r2 unknown 1-2 the rollout was deleted",
    ]);
    expect(deriveReleases(after).map(describeRelease)).toEqual(["bbb#1 r1 promoted 1-1 first deployment"]);
  });
});

/** Returns a projection as it was stored before these fields were recorded. */
function withoutNewFields(observation: ArgoObservation): ArgoObservation {
  const {
    rollbackWindow: _window,
    activeSelector: _active,
    isScaledToZero: _zero,
    isDeleted: _deleted,
    ...view
  } = observation.projection.view;
  const projection: RolloutProjection = { ...observation.projection, view };
  return { ...observation, projection };
}

describe("observations that were stored without the newer fields", () => {
  const older = cases.filter(({ changes }) => changes.every(({ view }) => view?.isDeleted !== true));

  it.each(older)("$name: the same releases", ({ changes, releases }) => {
    const observations = observe(...changes)
      .map(withoutNewFields)
      .map(toObservation);
    expect(deriveReleases(observations).map(describeRelease)).toEqual(releases);
  });

  it.each([
    { field: "isScaledToZero", view: { isScaledToZero: true } },
    { field: "activeSelector", view: { activeSelector: "aaa" } },
    { field: "rollbackWindow", view: { rollbackWindow: 3 } },
  ])("tells nothing of $field, which only the newer of two observations has", ({ view }) => {
    const [before, now] = observe({}, { view });
    if (before === undefined || now === undefined) throw new Error("two observations are wanted");
    const [old, next] = [withoutNewFields(before), now].map(toObservation);
    if (next === undefined) throw new Error("two observations are wanted");
    expect(compareObservations(old, next, { named: toObservation(before).state })).toEqual([]);
  });
});

describe("foldRelease", () => {
  it.each(cases)("$name: needs no more than the attempts of the keys it names", ({ changes, releases }) => {
    const all = new Map<string, Release>();
    let history = noReleases;
    for (const observation of observeStates(...changes)) {
      // The memory of a process that has just started: see loadRolloutStates and loadAttempts.
      const attempts = new Map<string, number>();
      for (const key of runKeysOf(observation.state))
        attempts.set(
          key,
          Math.max(0, ...[...all.values()].filter((each) => each.runKey === key).map((each) => each.attempt)),
        );
      const folded = foldRelease({ ...history, attempts }, observation);
      for (const release of folded.changed) all.set(`${release.runKey}#${release.attempt}`, release);
      history = folded.history;
    }
    expect([...all.values()].map(describeRelease)).toEqual(releases);
  });
});
