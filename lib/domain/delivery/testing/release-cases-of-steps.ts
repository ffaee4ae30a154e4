/**
 * The case table: changes that a controller writes, and the releases and events derived from them. A release reads
 * `key#attempt rRevision state begin-end message`, with observation numbers as times. The event of the first
 * observation is left out.
 */
import {
  aborted,
  begins,
  blue,
  type Case,
  created,
  firstSeen,
  green,
  isAborted,
  isStable,
  isSwitched,
  promoted,
  retried,
  run,
  second,
  stable,
  switched,
  third,
} from "./release-states.ts";

/** The first half of the table: passages through the steps. */
export const casesOfSteps: readonly Case[] = [
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
    releases: [firstSeen, "bbb#1 r2 superseded 1-2 reverted to the stable version"],
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
    releases: [firstSeen, "bbb#1 r2 superseded 1-2 restarted because the steps changed", "bbb#2 r2 promoted 2-3"],
    events: [begins, "step: The steps changed: restarts at step 1 of 7", "step: Steps 1 to 5 of 7 passed", isStable],
  },
  {
    name: "change of the steps while stable: nothing begins",
    changes: [stable, { currentStepHash: "other", view: { step: 7, stepCount: 7 } }],
    releases: [firstSeen],
    events: ["step: Steps 6 and 7 of 7 passed"],
  },
  {
    name: "change of the steps of an aborted release: the controller drops the abort and begins again",
    changes: [second, aborted, { ...retried, currentStepHash: "other" }],
    releases: ["bbb#1 r2 aborted 0-1 RolloutAborted: x", "bbb#2 r2 progressing 2-"],
    events: [isAborted, "retry: Retried after the abort", "step: The steps changed: restarts at step 1 of 5"],
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
      "run: Post-promotion analysis r-post is Failed",
      isAborted,
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
    events: [begins, "pause: Waiting to switch traffic"],
  },
  {
    name: "revision never seen: it appears finished",
    changes: [stable, { ...third, stableRS: "ccc", view: { ...third.view, phase: "Healthy", step: 5 } }],
    releases: [firstSeen, "ccc#1 r3 promoted 1-1 promoted while not observed"],
    events: ["revision: Revision 3 begins: shop:3", "phase: Promoted: revision 3 is stable"],
  },
  {
    name: "revision never seen: it appears finished while another was in progress",
    changes: [stable, second, { ...third, stableRS: "ccc", view: { ...third.view, phase: "Healthy", step: 5 } }],
    releases: [
      firstSeen,
      "bbb#1 r2 superseded 1-2 superseded by revision 3",
      "ccc#1 r3 promoted 2-2 promoted while not observed",
    ],
    events: [begins, "revision: Revision 3 begins: shop:3", "phase: Promoted: revision 3 is stable"],
  },
  {
    name: "revision never seen as wanted: it is stable when another one begins",
    changes: [stable, { ...third, stableRS: "xxx" }],
    releases: [firstSeen, "xxx#1 rnull promoted 1-1 promoted while not observed", "ccc#1 r3 progressing 1-"],
    events: ["revision: Revision 3 begins: shop:3", "phase: Promoted while not observed: version xxx is stable"],
  },
  {
    name: "the release in progress was promoted before the next one was seen",
    changes: [stable, second, { ...third, stableRS: "bbb" }],
    releases: [firstSeen, "bbb#1 r2 promoted 1-2 promoted while not observed", "ccc#1 r3 progressing 2-"],
    events: [
      begins,
      "revision: Revision 3 begins: shop:3",
      "phase: Promoted while not observed: version bbb is stable",
    ],
  },
];
