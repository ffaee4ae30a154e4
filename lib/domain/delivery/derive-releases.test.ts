import { describe, expect, it } from "vitest";
import {
  type ObservationChanges,
  observeStates,
  timeOf,
} from "#lib/domain/argo/history/testing/sample-observations.ts";
import { deriveReleases } from "./testing/derive-all.ts";

const second = { currentPodHash: "bbb", view: { phase: "Progressing", revision: 2, step: 0, images: ["shop:2"] } };
const aborted = { abort: true, view: { phase: "Degraded", message: "RolloutAborted: x" } };
const retried = { abort: false, view: { phase: "Progressing", message: "", step: 0 } };
const promoted = { stableRS: "bbb", view: { phase: "Healthy", message: "", step: 5 } };
const pause = {
  pauseConditions: [{ reason: "CanaryPauseStep", startTime: null }],
  view: { phase: "Paused", message: "CanaryPauseStep" },
};
const goesOn = { pauseConditions: [], view: { phase: "Progressing", message: "" } };

type Case = { name: string; changes: ObservationChanges[]; releases: string[] };

const cases: Case[] = [
  { name: "nothing observed", changes: [], releases: [] },
  {
    name: "running when first seen",
    changes: [{}],
    releases: ["aaa#1 r1 promoted 0-0 already running when first seen"],
  },
  {
    name: "first deployment",
    changes: [
      { currentPodHash: "", stableRS: "", view: { phase: "Progressing" } },
      { currentPodHash: "aaa", stableRS: "" },
      { stableRS: "aaa", view: { phase: "Healthy" } },
    ],
    releases: ["aaa#1 r1 promoted 1-2"],
  },
  { name: "in progress when first seen", changes: [second], releases: ["bbb#1 r2 progressing 0-"] },
  {
    name: "promoted",
    changes: [{}, second, pause, goesOn, promoted],
    releases: ["aaa#1 r1 promoted 0-0 already running when first seen", "bbb#1 r2 promoted 1-4"],
  },
  {
    name: "paused",
    changes: [{}, second, pause],
    releases: ["aaa#1 r1 promoted 0-0 already running when first seen", "bbb#1 r2 paused 1- CanaryPauseStep"],
  },
  {
    name: "paused by a person",
    changes: [second, { paused: true, view: { phase: "Paused", message: "manually paused" } }],
    releases: ["bbb#1 r2 paused 0- manually paused"],
  },
  { name: "aborted", changes: [second, aborted], releases: ["bbb#1 r2 aborted 0-1 RolloutAborted: x"] },
  {
    name: "aborted, more replica news: the end stays",
    changes: [second, aborted, { view: { message: "RolloutAborted: y" } }],
    releases: ["bbb#1 r2 aborted 0-1 RolloutAborted: x"],
  },
  {
    name: "retried after the abort, then promoted",
    changes: [second, aborted, retried, promoted],
    releases: ["bbb#1 r2 aborted 0-1 RolloutAborted: x", "bbb#2 r2 promoted 2-3"],
  },
  {
    name: "superseded by a third revision",
    changes: [second, { currentPodHash: "ccc", view: { revision: 3, step: 0 } }],
    releases: ["bbb#1 r2 superseded 0-1 superseded by revision 3", "ccc#1 r3 progressing 1-"],
  },
  {
    name: "aborted, then a third revision: stays aborted",
    changes: [
      second,
      aborted,
      { currentPodHash: "ccc", abort: false, view: { phase: "Progressing", message: "", revision: 3 } },
    ],
    releases: ["bbb#1 r2 aborted 0-1 RolloutAborted: x", "ccc#1 r3 progressing 2-"],
  },
  {
    name: "taken back to the stable version that was seen",
    changes: [{}, second, { currentPodHash: "aaa", view: { phase: "Healthy", revision: 3, step: 5 } }],
    releases: [
      "aaa#1 r1 promoted 0-0 already running when first seen",
      "bbb#1 r2 superseded 1-2 reverted to the stable version",
    ],
  },
  {
    name: "taken back to a stable version that was never seen to run",
    changes: [second, { currentPodHash: "aaa", view: { phase: "Healthy", revision: 3, step: 5 } }],
    releases: ["bbb#1 r2 superseded 0-1 reverted to the stable version"],
  },
  {
    name: "rolled back after the promotion: a new passage of the old version",
    changes: [{}, second, promoted, { currentPodHash: "aaa", view: { phase: "Progressing", revision: 3, step: 0 } }],
    releases: [
      "aaa#1 r1 promoted 0-0 already running when first seen",
      "bbb#1 r2 promoted 1-2",
      "aaa#2 r3 progressing 3-",
    ],
  },
  {
    name: "wanted again after it was superseded",
    changes: [
      second,
      { currentPodHash: "ccc", view: { revision: 3 } },
      { currentPodHash: "bbb", view: { revision: 4 } },
    ],
    releases: [
      "bbb#1 r2 superseded 0-1 superseded by revision 3",
      "ccc#1 r3 superseded 1-2 superseded by revision 4",
      "bbb#2 r4 progressing 2-",
    ],
  },
  {
    name: "the controller lags: template and revision are not yet those of the running release",
    changes: [
      second,
      { view: { specObserved: false, revision: 3, images: ["shop:3"] } },
      { currentPodHash: "ccc", view: { specObserved: true } },
    ],
    releases: ["bbb#1 r2 superseded 0-2 superseded by revision 3", "ccc#1 r3 progressing 2-"],
  },
  {
    name: "a revision that was never seen lies between",
    changes: [{}, { currentPodHash: "ddd", view: { phase: "Progressing", revision: 4, step: 2 } }],
    releases: ["aaa#1 r1 promoted 0-0 already running when first seen", "ddd#1 r4 progressing 1-"],
  },
  {
    name: "promoted while a pause condition is still there",
    changes: [second, pause, { stableRS: "bbb" }],
    releases: ["bbb#1 r2 promoted 0-2"],
  },
];

const indexOf = (time: string | null): string =>
  time === null ? "" : String((Date.parse(time) - Date.parse(timeOf(0))) / 1000);

describe("deriveReleases", () => {
  it.each(cases)("$name", ({ changes, releases }) => {
    const found = deriveReleases(observeStates(...changes)).map(
      ({ runKey, attempt, revision, state, startedAt, endedAt, message }) =>
        `${runKey}#${attempt} r${revision} ${state} ${indexOf(startedAt)}-${indexOf(endedAt)} ${message}`.trim(),
    );
    expect(found).toEqual(releases);
  });

  it("takes the images of the release's own template", () => {
    const found = deriveReleases(
      observeStates(
        second,
        { view: { specObserved: false, images: ["shop:3"] } },
        { currentPodHash: "ccc", view: { specObserved: true } },
      ),
    );
    expect(found.map((release) => release.images)).toEqual([["shop:2"], ["shop:3"]]);
  });
});
