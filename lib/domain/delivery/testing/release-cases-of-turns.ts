/**
 * The case table: changes that a controller writes, and the releases and events derived from them. A release reads
 * `key#attempt rRevision state begin-end message`, with observation numbers as times. The event of the first
 * observation is left out.
 */
import {
  aborted,
  begins,
  type Case,
  firstSeen,
  isAborted,
  isStable,
  promoted,
  retried,
  second,
  stable,
  third,
  waits,
} from "./release-states.ts";

/** The second half: other events in the life of a release. */
export const casesOfTurns: readonly Case[] = [
  {
    name: "the aborted release was retried and promoted before the next one was seen",
    changes: [second, aborted, { ...retried, ...third, stableRS: "bbb" }],
    releases: [
      "bbb#1 r2 aborted 0-1 RolloutAborted: x",
      "bbb#2 r2 promoted 2-2 promoted while not observed",
      "ccc#1 r3 progressing 2-",
    ],
    events: [
      isAborted,
      "revision: Revision 3 begins: shop:3",
      "phase: Promoted while not observed: version bbb is stable",
    ],
  },
  {
    name: "the wanted revision is the same, but another one became stable in between: two attempts",
    changes: [stable, second, { stableRS: "xxx" }],
    releases: [
      firstSeen,
      "bbb#1 r2 superseded 1-2 superseded while not observed",
      "xxx#1 rnull promoted 2-2 promoted while not observed",
      "bbb#2 r2 progressing 2-",
    ],
    events: [begins, "phase: Promoted while not observed: version xxx is stable"],
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
    releases: [firstSeen, "bbb#1 r2 promoted 1-4 fully promoted"],
    events: [
      begins,
      "resume: Full promotion requested (via gatehouse)",
      "step: Steps 1 to 5 of 5 skipped: fully promoted",
      isStable,
    ],
  },
  {
    name: "promote-full of an aborted release: a new attempt",
    changes: [second, aborted, { promoteFull: true }, { ...retried, view: { ...retried.view, step: 5 } }, promoted],
    releases: ["bbb#1 r2 aborted 0-1 RolloutAborted: x", "bbb#2 r2 promoted 3-4 fully promoted"],
    events: [
      isAborted,
      "resume: Full promotion requested",
      "retry: Retried after the abort",
      "step: Steps 1 to 5 of 5 skipped: fully promoted",
      isStable,
    ],
  },
  {
    name: "abort: asked for, then done",
    changes: [stable, second, { abort: true, writer: "kubectl" }, aborted],
    releases: [firstSeen, "bbb#1 r2 aborted 1-3 RolloutAborted: x"],
    events: [begins, "abort: Abort requested (via kubectl)", isAborted],
  },
  {
    name: "abort that the controller drops, since it is being promoted in full",
    changes: [second, { promoteFull: true }, { abort: true }, { abort: false }, promoted],
    releases: ["bbb#1 r2 promoted 0-4 fully promoted"],
    events: [
      "resume: Full promotion requested",
      "abort: Abort requested",
      "phase: The controller dropped the abort",
      "step: Steps 1 to 5 of 5 skipped: fully promoted",
      isStable,
    ],
  },
  {
    name: "abort of what is stable: the controller drops it",
    changes: [stable, { abort: true, view: { phase: "Degraded" } }, { abort: false, view: { phase: "Healthy" } }],
    releases: [firstSeen],
    events: ["abort: Abort requested", "phase: The controller dropped the abort"],
  },
  {
    name: "abort that comes too late: it is promoted",
    changes: [second, { abort: true, stableRS: "bbb", view: { phase: "Healthy" } }, { abort: false }],
    releases: ["bbb#1 r2 promoted 0-1"],
    events: [
      "abort: Abort requested",
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
      "phase: Scaled to zero (via kubectl)",
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
      "aaa#1 rnull promoted 0-0 already running when first seen",
      "bbb#1 rnull superseded 1-2 superseded by another version",
      "ccc#1 rnull progressing 2-",
    ],
    events: ["revision: Version 2 begins: shop:2", "revision: Version 3 begins: shop:3"],
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
