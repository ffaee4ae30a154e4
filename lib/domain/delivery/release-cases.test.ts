import { describe, expect, it } from "vitest";
import { deriveReleases, foldRelease, noReleases, type Release, runKeysOf } from "./derive-releases.ts";
import { compareObservations, deriveTimeline } from "./derive-timeline.ts";
import { rolloutIdOf } from "./rollout-id.ts";
import type { Observation, RolloutProjection } from "./rollout-projection.ts";
import { type ObservationChanges, observe, timeOf } from "./sample-observations.ts";

/**
 * The case table: what a controller writes, and which releases and events follow from it. A release reads
 * `key#attempt rRevision state begin-end message`, with times as the number of the observation; events are given
 * without that of the first sight.
 */
type Case = { name: string; changes: ObservationChanges[]; releases: string[]; events: string[] };

const stable = {};
const firstSeen = "aaa#1 r1 promoted 0-0 was running when first seen";
const second = {
  currentPodHash: "bbb",
  currentStepIndex: 0,
  view: { phase: "Progressing", revision: 2, step: 0, stepText: "setWeight: 20", images: ["shop:2"] },
};
const third = {
  currentPodHash: "ccc",
  view: { phase: "Progressing", message: "", revision: 3, step: 0, images: ["shop:3"] },
};
const promoted = { stableRS: "bbb", promoteFull: false, view: { phase: "Healthy", message: "", step: 5 } };
const begins = "revision: Revision 2 begins: shop:2";
const isStable = "phase: Promoted: revision 2 is stable";

const aborted = { abort: true, view: { phase: "Degraded", message: "RolloutAborted: x", step: 0, abortedAt: "t1" } };
const isAborted = "abort: Aborted: RolloutAborted: x";
const retried = { abort: false, view: { phase: "Progressing", message: "", abortedAt: null } };

const waits = {
  pauseConditions: [{ reason: "CanaryPauseStep", startTime: "t" }],
  view: { phase: "Paused", message: "CanaryPauseStep", step: 4, stepText: "pause", stepWaitsForPerson: true },
};

const green = {
  currentPodHash: "bbb",
  currentStepIndex: null,
  currentStepHash: "",
  view: {
    strategy: "BlueGreen",
    phase: "Progressing",
    message: "active service cutover pending",
    revision: 2,
    step: null,
    stepCount: 0,
    weight: null,
    images: ["shop:2"],
    activeSelector: "aaa",
  },
};
const blue = {
  currentStepIndex: null,
  currentStepHash: "",
  view: { ...green.view, phase: "Healthy", message: "", revision: 1 },
};
const switched = { view: { activeSelector: "bbb", message: "waiting for analysis to complete" } };
const isSwitched = "step: Active service switched to revision 2";
const run = (phase: string) => ({ postPromotionAnalysis: { name: "r-post", phase } });

const created = {
  currentPodHash: "",
  stableRS: "",
  currentStepHash: "",
  view: {
    phase: "Progressing",
    message: "more replicas need to be updated",
    revision: null,
    step: null,
    images: ["shop:1"],
  },
};

const cases: Case[] = [
  {
    name: "first deployment: promoted as soon as the controller calls it stable",
    changes: [
      created,
      { currentPodHash: "aaa", currentStepHash: "h", view: { revision: 1, step: 0 } },
      { stableRS: "aaa", view: { step: 5 } },
      { view: { phase: "Healthy", message: "" } },
    ],
    releases: ["aaa#1 r1 promoted 1-2"],
    events: [
      "revision: Revision 1 begins: shop:1",
      "step: Steps 1 to 5 of 5 passed",
      "phase: Promoted: revision 1 is stable",
      "phase: Progressing to Healthy",
    ],
  },
  {
    name: "first deployment, of which the middle was missed",
    changes: [
      created,
      { currentPodHash: "aaa", stableRS: "aaa", view: { phase: "Healthy", message: "", revision: 1 } },
    ],
    releases: ["aaa#1 r1 promoted 1-1 first deployment"],
    events: ["revision: Revision 1 begins: shop:1", "phase: Promoted: revision 1 is stable"],
  },
  {
    name: "revert to stable: the interrupted release is superseded, and the stable version begins no other",
    changes: [
      stable,
      second,
      { currentPodHash: "aaa", view: { phase: "Healthy", revision: 3, step: 5, images: ["shop:1"] } },
    ],
    releases: [firstSeen, "bbb#1 r2 superseded 1-2 taken back: the stable version was wanted again"],
    events: [begins, "revision: Returned to the stable version, revision 3"],
  },
  {
    name: "revert to stable after an abort: the aborted release stays aborted",
    changes: [
      stable,
      second,
      aborted,
      { ...retried, currentPodHash: "aaa", view: { ...retried.view, phase: "Healthy", revision: 3 } },
    ],
    releases: [firstSeen, "bbb#1 r2 aborted 1-2 RolloutAborted: x"],
    events: [begins, isAborted, "revision: Returned to the stable version, revision 3"],
  },
  {
    name: "rollback window: a return to a recent revision is a passage whose steps are skipped",
    changes: [
      { view: { rollbackWindow: 3 } },
      second,
      promoted,
      { currentPodHash: "aaa", view: { phase: "Progressing", revision: 3, step: 5, images: ["shop:1"] } },
      { stableRS: "aaa", view: { phase: "Healthy" } },
    ],
    releases: [firstSeen, "bbb#1 r2 promoted 1-2", "aaa#2 r3 promoted 3-4"],
    events: [
      begins,
      "step: Steps 1 to 5 of 5 passed",
      isStable,
      "revision: Revision 3 begins: shop:1",
      "step: All 5 steps skipped: within the rollback window",
      "phase: Promoted: revision 3 is stable",
    ],
  },
  {
    name: "change of the steps mid-way: the attempt ends, another begins with the first step",
    changes: [
      stable,
      { ...second, view: { ...second.view, step: 3 } },
      { currentStepHash: "other", currentStepIndex: 0, view: { step: 0, stepCount: 7 } },
      promoted,
    ],
    releases: [firstSeen, "bbb#1 r2 superseded 1-2 the steps were changed: it began again", "bbb#2 r2 promoted 2-3"],
    events: [
      begins,
      "step: The steps were changed: begins again at step 1 of 7",
      "step: Steps 1 to 5 of 7 passed",
      isStable,
    ],
  },
  {
    name: "change of the steps while stable: nothing begins",
    changes: [stable, { currentStepHash: "other", view: { step: 7, stepCount: 7 } }],
    releases: [firstSeen],
    events: ["step: Steps 6 to 7 of 7 passed"],
  },
  {
    name: "change of the steps of an aborted release: the controller drops the abort and begins again",
    changes: [second, aborted, { ...retried, currentStepHash: "other" }],
    releases: ["bbb#1 r2 aborted 0-1 RolloutAborted: x", "bbb#2 r2 progressing 2-"],
    events: [isAborted, "retry: Retried after the abort", "step: The steps were changed: begins again at step 1 of 5"],
  },
  {
    name: "deadline without abort: degraded, not ended, and it may go on",
    changes: [
      stable,
      second,
      { view: { phase: "Degraded", message: "ProgressDeadlineExceeded: has timed out progressing." } },
      { view: { phase: "Progressing", message: "more replicas need to be updated" } },
    ],
    releases: [firstSeen, "bbb#1 r2 progressing 1- more replicas need to be updated"],
    events: [
      begins,
      "phase: Progressing to Degraded: ProgressDeadlineExceeded: has timed out progressing.",
      "phase: Degraded to Progressing: more replicas need to be updated",
    ],
  },
  {
    name: "deadline without abort, at the end of what was seen: open, with the reason",
    changes: [stable, second, { view: { phase: "Degraded", message: "ProgressDeadlineExceeded: x" } }],
    releases: [firstSeen, "bbb#1 r2 progressing 1- ProgressDeadlineExceeded: x"],
    events: [begins, "phase: Progressing to Degraded: ProgressDeadlineExceeded: x"],
  },
  {
    name: "blue-green: promoted when stable, not when the active service is switched",
    changes: [blue, green, switched, { stableRS: "bbb", view: { phase: "Healthy", message: "" } }],
    releases: [firstSeen, "bbb#1 r2 promoted 1-3"],
    events: [begins, isSwitched, "phase: Promoted: revision 2 is stable"],
  },
  {
    name: "blue-green, switched: still open",
    changes: [blue, green, switched],
    releases: [firstSeen, "bbb#1 r2 progressing 1- waiting for analysis to complete"],
    events: [begins, isSwitched],
  },
  {
    name: "blue-green, post-promotion analysis succeeds",
    changes: [
      blue,
      green,
      { ...switched, ...run("Running") },
      { ...run("Successful"), stableRS: "bbb", view: { phase: "Healthy", message: "" } },
    ],
    releases: [firstSeen, "bbb#1 r2 promoted 1-3"],
    events: [
      begins,
      "run: Post-promotion analysis r-post begins",
      isSwitched,
      "run: Post-promotion analysis r-post is Successful",
      "phase: Promoted: revision 2 is stable",
    ],
  },
  {
    name: "blue-green, post-promotion analysis fails: switched back, aborted, never promoted",
    changes: [
      blue,
      green,
      { ...switched, ...run("Running") },
      { ...run("Failed"), ...aborted, view: { ...aborted.view, step: null } },
      { view: { activeSelector: "aaa" } },
    ],
    releases: [firstSeen, "bbb#1 r2 aborted 1-3 RolloutAborted: x"],
    events: [
      begins,
      "run: Post-promotion analysis r-post begins",
      isSwitched,
      isAborted,
      "run: Post-promotion analysis r-post is Failed",
      "step: Active service switched back to the stable version",
    ],
  },
  {
    name: "blue-green, scaleDownDelay: what runs on after the promotion changes nothing",
    changes: [
      blue,
      green,
      switched,
      { stableRS: "bbb", view: { phase: "Healthy", message: "" } },
      { view: { message: "x" } },
    ],
    releases: [firstSeen, "bbb#1 r2 promoted 1-3"],
    events: [begins, isSwitched, "phase: Promoted: revision 2 is stable"],
  },
  {
    name: "blue-green, waits before the switch",
    changes: [
      blue,
      {
        ...green,
        pauseConditions: [{ reason: "BlueGreenPause", startTime: "t" }],
        view: { ...green.view, phase: "Paused", message: "BlueGreenPause" },
      },
    ],
    releases: [firstSeen, "bbb#1 r2 paused 1- BlueGreenPause"],
    events: [begins, "pause: Waits before the active service is switched"],
  },
  {
    name: "revision never seen: it appears finished",
    changes: [stable, { ...third, stableRS: "ccc", view: { ...third.view, phase: "Healthy", step: 5 } }],
    releases: [firstSeen, "ccc#1 r3 promoted 1-1 promoted while it was not observed"],
    events: ["revision: Revision 3 begins: shop:3", "phase: Promoted: revision 3 is stable"],
  },
  {
    name: "revision never seen: it appears finished while another was in progress",
    changes: [stable, second, { ...third, stableRS: "ccc", view: { ...third.view, phase: "Healthy", step: 5 } }],
    releases: [
      firstSeen,
      "bbb#1 r2 superseded 1-2 superseded by revision 3",
      "ccc#1 r3 promoted 2-2 promoted while it was not observed",
    ],
    events: [begins, "revision: Revision 3 begins: shop:3", "phase: Promoted: revision 3 is stable"],
  },
  {
    name: "revision never seen as wanted: it is stable when another one begins",
    changes: [stable, { ...third, stableRS: "xxx" }],
    releases: [firstSeen, "xxx#1 rnull promoted 1-1 promoted while it was not observed", "ccc#1 r3 progressing 1-"],
    events: ["revision: Revision 3 begins: shop:3", "phase: Promoted while it was not observed: version xxx is stable"],
  },
  {
    name: "the release in progress was promoted before the next one was seen",
    changes: [stable, second, { ...third, stableRS: "bbb" }],
    releases: [firstSeen, "bbb#1 r2 promoted 1-2 promoted while it was not observed", "ccc#1 r3 progressing 2-"],
    events: [
      begins,
      "revision: Revision 3 begins: shop:3",
      "phase: Promoted while it was not observed: version bbb is stable",
    ],
  },
  {
    name: "the aborted release was retried and promoted before the next one was seen",
    changes: [second, aborted, { ...retried, ...third, stableRS: "bbb" }],
    releases: [
      "bbb#1 r2 aborted 0-1 RolloutAborted: x",
      "bbb#2 r2 promoted 2-2 promoted while it was not observed",
      "ccc#1 r3 progressing 2-",
    ],
    events: [
      isAborted,
      "revision: Revision 3 begins: shop:3",
      "phase: Promoted while it was not observed: version bbb is stable",
    ],
  },
  {
    name: "the wanted revision is the same, but another one became stable in between: two attempts",
    changes: [stable, second, { stableRS: "xxx" }],
    releases: [
      firstSeen,
      "bbb#1 r2 superseded 1-2 superseded while it was not observed",
      "xxx#1 rnull promoted 2-2 promoted while it was not observed",
      "bbb#2 r2 progressing 2-",
    ],
    events: [begins, "phase: Promoted while it was not observed: version xxx is stable"],
  },
  {
    name: "retry: a new attempt",
    changes: [second, aborted, retried, promoted],
    releases: ["bbb#1 r2 aborted 0-1 RolloutAborted: x", "bbb#2 r2 promoted 2-3"],
    events: [isAborted, "retry: Retried after the abort", "step: Steps 1 to 5 of 5 passed", isStable],
  },
  {
    name: "a retry that nobody saw, aborted too",
    changes: [second, aborted, { view: { abortedAt: "t2", message: "RolloutAborted: y" } }],
    releases: [
      "bbb#1 r2 aborted 0-1 RolloutAborted: x",
      "bbb#2 r2 aborted 2-2 aborted again after a retry that was not observed",
    ],
    events: [isAborted, "abort: Aborted again after a retry that was not observed: RolloutAborted: y"],
  },
  {
    name: "promote-full: the same attempt, the rest of the steps is skipped",
    changes: [stable, second, { promoteFull: true, writer: "gatehouse" }, { view: { step: 5 } }, promoted],
    releases: [firstSeen, "bbb#1 r2 promoted 1-4 promoted in full"],
    events: [
      begins,
      "resume: Full promotion asked for (written by gatehouse)",
      "step: Steps 1 to 5 of 5 skipped: promoted in full",
      isStable,
    ],
  },
  {
    name: "promote-full of an aborted release: a new attempt",
    changes: [second, aborted, { promoteFull: true }, { ...retried, view: { ...retried.view, step: 5 } }, promoted],
    releases: ["bbb#1 r2 aborted 0-1 RolloutAborted: x", "bbb#2 r2 promoted 3-4 promoted in full"],
    events: [
      isAborted,
      "resume: Full promotion asked for",
      "retry: Retried after the abort",
      "step: Steps 1 to 5 of 5 skipped: promoted in full",
      isStable,
    ],
  },
  {
    name: "abort: asked for, then done",
    changes: [stable, second, { abort: true, writer: "kubectl" }, aborted],
    releases: [firstSeen, "bbb#1 r2 aborted 1-3 RolloutAborted: x"],
    events: [begins, "abort: Abort asked for (written by kubectl)", isAborted],
  },
  {
    name: "abort that the controller drops, since it is being promoted in full",
    changes: [second, { promoteFull: true }, { abort: true }, { abort: false }, promoted],
    releases: ["bbb#1 r2 promoted 0-4 promoted in full"],
    events: [
      "resume: Full promotion asked for",
      "abort: Abort asked for",
      "phase: The controller dropped the abort",
      "step: Steps 1 to 5 of 5 skipped: promoted in full",
      isStable,
    ],
  },
  {
    name: "abort of what is stable: the controller drops it",
    changes: [stable, { abort: true, view: { phase: "Degraded" } }, { abort: false, view: { phase: "Healthy" } }],
    releases: [firstSeen],
    events: ["abort: Abort asked for", "phase: The controller dropped the abort"],
  },
  {
    name: "abort that comes too late: it is promoted",
    changes: [second, { abort: true, stableRS: "bbb", view: { phase: "Healthy" } }, { abort: false }],
    releases: ["bbb#1 r2 promoted 0-1"],
    events: [
      "abort: Abort asked for",
      "phase: Promoted: revision 2 is stable",
      "phase: The controller dropped the abort",
    ],
  },
  {
    name: "abort, then a new spec: the aborted release stays aborted",
    changes: [second, aborted, { ...retried, ...third }],
    releases: ["bbb#1 r2 aborted 0-1 RolloutAborted: x", "ccc#1 r3 progressing 2-"],
    events: [isAborted, "revision: Revision 3 begins: shop:3"],
  },
  {
    name: "superseded by a newer spec mid-way",
    changes: [stable, second, third, { currentPodHash: "bbb", view: { revision: 4, images: ["shop:2"] } }],
    releases: [
      firstSeen,
      "bbb#1 r2 superseded 1-2 superseded by revision 3",
      "ccc#1 r3 superseded 2-3 superseded by revision 4",
      "bbb#2 r4 progressing 3-",
    ],
    events: [begins, "revision: Revision 3 begins: shop:3", "revision: Revision 4 begins: shop:2"],
  },
  {
    name: "paused at the end: open",
    changes: [stable, second, waits],
    releases: [firstSeen, "bbb#1 r2 paused 1- CanaryPauseStep"],
    events: [begins, "step: Steps 1 to 4 of 5 passed", "pause: Waits for a person at step 5 of 5"],
  },
  {
    name: "paused by a person when stable: its release is over",
    changes: [stable, { paused: true, view: { phase: "Paused", message: "manually paused" } }],
    releases: [firstSeen],
    events: ["pause: Paused by a person"],
  },
  {
    name: "scaled to zero and back mid-way: the release goes on",
    changes: [
      stable,
      second,
      { view: { isScaledToZero: true }, writer: "kubectl" },
      { view: { isScaledToZero: false } },
      promoted,
    ],
    releases: [firstSeen, "bbb#1 r2 promoted 1-4"],
    events: [
      begins,
      "phase: Scaled to zero (written by kubectl)",
      "phase: Scaled up from zero",
      "step: Steps 1 to 5 of 5 passed",
      isStable,
    ],
  },
  {
    name: "scaled to zero when stable: nothing begins",
    changes: [stable, { view: { isScaledToZero: true } }],
    releases: [firstSeen],
    events: ["phase: Scaled to zero"],
  },
  {
    name: "revision numbers missing: they are unknown",
    changes: [
      { view: { revision: null } },
      { ...second, view: { ...second.view, revision: null } },
      { ...third, view: { ...third.view, revision: null } },
    ],
    releases: [
      "aaa#1 rnull promoted 0-0 was running when first seen",
      "bbb#1 rnull superseded 1-2 superseded by another version",
      "ccc#1 rnull progressing 2-",
    ],
    events: ["revision: Version bbb begins: shop:2", "revision: Version ccc begins: shop:3"],
  },
  {
    name: "a revision number that comes late is taken over",
    changes: [{ ...second, view: { ...second.view, revision: null } }, { view: { revision: 2 } }],
    releases: ["bbb#1 r2 progressing 0-"],
    events: [],
  },
  {
    name: "deleted mid-way: how it would have ended is not known",
    changes: [stable, second, { view: { isDeleted: true } }],
    releases: [firstSeen, "bbb#1 r2 unknown 1-2 the rollout was deleted"],
    events: [begins, "phase: Deleted"],
  },
  {
    name: "deleted when stable: nothing to end",
    changes: [stable, { view: { isDeleted: true } }],
    releases: [firstSeen],
    events: ["phase: Deleted"],
  },
  {
    name: "the status is wiped and comes back: the release goes on",
    changes: [stable, second, { currentPodHash: "", stableRS: "" }, { currentPodHash: "bbb", stableRS: "aaa" }],
    releases: [firstSeen, "bbb#1 r2 progressing 1-"],
    events: [begins],
  },
];

const indexOf = (time: string | null): string =>
  time === null ? "" : String((Date.parse(time) - Date.parse(timeOf(0))) / 1000);

const describeRelease = ({ runKey, attempt, revision, state, startedAt, endedAt, message }: Release): string =>
  `${runKey}#${attempt} r${revision} ${state} ${indexOf(startedAt)}-${indexOf(endedAt)} ${message}`.trim();

describe("the releases and the timeline of", () => {
  it.each(cases)("$name", ({ changes, releases, events }) => {
    const observations = observe(...changes);
    expect(deriveReleases(observations).map(describeRelease)).toEqual(releases);
    const found = deriveTimeline(observations).map(({ kind, text }) => `${kind}: ${text}`);
    expect(found.slice(1)).toEqual(events);
  });

  it("an object re-created under the same name: another rollout, with releases of its own", () => {
    const key = { cluster: "c", namespace: "shop", kind: "Rollout", name: "checkout" };
    const [old, fresh] = ["u1", "u2"].map((uid) => rolloutIdOf({ ...key, uid }));
    expect(old).not.toBe(fresh);
    const before = observe(stable, second, { view: { isDeleted: true } });
    const after = observe({ ...created, uid: "u2" }, { currentPodHash: "bbb", stableRS: "bbb", view: { revision: 1 } });
    expect(deriveReleases(before).map(describeRelease)).toEqual([
      firstSeen,
      "bbb#1 r2 unknown 1-2 the rollout was deleted",
    ]);
    expect(deriveReleases(after).map(describeRelease)).toEqual(["bbb#1 r1 promoted 1-1 first deployment"]);
  });
});

/** A projection as it was stored before these fields were recorded. */
function withoutNewFields(observation: Observation): Observation {
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
    const observations = observe(...changes).map(withoutNewFields);
    expect(deriveReleases(observations).map(describeRelease)).toEqual(releases);
  });

  it.each([
    { field: "isScaledToZero", view: { isScaledToZero: true } },
    { field: "activeSelector", view: { activeSelector: "aaa" } },
    { field: "rollbackWindow", view: { rollbackWindow: 3 } },
  ])("tells nothing of $field, which only the newer of two observations has", ({ view }) => {
    const [before, now] = observe({}, { view });
    if (before === undefined || now === undefined) throw new Error("two observations are wanted");
    expect(compareObservations(withoutNewFields(before), now, before.projection)).toEqual([]);
  });
});

describe("foldRelease", () => {
  it.each(cases)("$name: needs no more than the attempts of the keys it names", ({ changes, releases }) => {
    const all = new Map<string, Release>();
    let history = noReleases;
    for (const observation of observe(...changes)) {
      // What a process remembers that has just been started: see loadRolloutStates and loadAttempts.
      const attempts = new Map<string, number>();
      for (const key of runKeysOf(observation.projection))
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
