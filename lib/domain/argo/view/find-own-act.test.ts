import { expect, it } from "vitest";
import { parseRollout } from "#lib/domain/argo/objects/rollout-object.ts";
import type { OwnAct } from "#lib/domain/delivery/provider.ts";
import { findOwnAct } from "./find-own-act.ts";

const startTime = "2026-11-20T11:00:00Z";
const steps = [{ setWeight: 20 }, { pause: { duration: "90s" } }, { pause: {} }, { pause: { duration: 30 } }];
const paused = (...reasons: string[]) => ({ pauseConditions: reasons.map((reason) => ({ reason, startTime })) });
const progressing = (reason: string, lastUpdateTime: string | undefined = startTime) => ({
  conditions: [{ type: "Progressing", status: "True", reason, lastUpdateTime }],
});
const blueGreen = (fields: object) => ({ strategy: { blueGreen: { activeService: "a", ...fields } } });
const deadline = { progressDeadlineAbort: true, progressDeadlineSeconds: 120 };

it.each<{ name: string; spec?: object; status: object; is: OwnAct | undefined }>([
  {
    name: "a timed pause",
    status: { ...paused("CanaryPauseStep"), currentStepIndex: 1 },
    is: { text: "Continues by itself with step 3 of 4", at: "2026-11-20T11:01:30.000Z" },
  },
  {
    name: "a timed pause at the end",
    status: { ...paused("CanaryPauseStep"), currentStepIndex: 3 },
    is: { text: "Promotes by itself", at: "2026-11-20T11:00:30.000Z" },
  },
  { name: "a pause without an end", status: { ...paused("CanaryPauseStep"), currentStepIndex: 2 }, is: undefined },
  {
    name: "an Inconclusive verdict during a timed pause",
    status: { ...paused("CanaryPauseStep", "InconclusiveAnalysisRun"), currentStepIndex: 1 },
    is: undefined,
  },
  {
    name: "a timed pause behind which an Inconclusive background run is lost",
    status: {
      ...paused("CanaryPauseStep"),
      currentStepIndex: 1,
      canary: { currentBackgroundAnalysisRunStatus: { name: "r", status: "Inconclusive" } },
    },
    is: { text: "Continues by itself with step 3 of 4", at: "2026-11-20T11:01:30.000Z" },
  },
  {
    name: "a person's pause over a timed one",
    spec: { paused: true },
    status: { ...paused("CanaryPauseStep"), currentStepIndex: 1 },
    is: undefined,
  },
  {
    name: "an abort at a timed pause",
    status: { ...paused("CanaryPauseStep"), currentStepIndex: 1, abort: true },
    is: undefined,
  },
  {
    name: "a timed promotion",
    spec: blueGreen({ autoPromotionSeconds: 60 }),
    status: paused("BlueGreenPause"),
    is: { text: "Promotes by itself", at: "2026-11-20T11:01:00.000Z" },
  },
  {
    name: "a promotion by a person",
    spec: blueGreen({ autoPromotionSeconds: 60, autoPromotionEnabled: false }),
    status: paused("BlueGreenPause"),
    is: undefined,
  },
  {
    name: "the progress deadline",
    spec: deadline,
    status: progressing("ReplicaSetUpdated"),
    is: { text: "Aborts by itself without progress", at: "2026-11-20T11:02:00.000Z" },
  },
  {
    name: "the default progress deadline",
    spec: { progressDeadlineAbort: true },
    status: progressing("ReplicaSetUpdated"),
    is: { text: "Aborts by itself without progress", at: "2026-11-20T11:10:00.000Z" },
  },
  {
    name: "a progress deadline that aborts nothing",
    spec: { progressDeadlineSeconds: 120 },
    status: progressing("ReplicaSetUpdated"),
    is: undefined,
  },
  {
    name: "a deadline that does not run",
    spec: deadline,
    status: progressing("NewReplicaSetAvailable"),
    is: undefined,
  },
  {
    name: "a deadline without a time",
    spec: deadline,
    status: progressing("ReplicaSetUpdated", "soon"),
    is: undefined,
  },
  {
    name: "a deadline of the stable version",
    spec: deadline,
    status: { ...progressing("ReplicaSetUpdated"), stableRS: "b" },
    is: undefined,
  },
  { name: "nothing", status: {}, is: undefined },
])("finds what the controller does by itself: $name", ({ spec = {}, status, is }) => {
  const parsed = parseRollout({
    kind: "Rollout",
    metadata: { name: "a", uid: "u", resourceVersion: "1" },
    spec: { strategy: { canary: { steps } }, ...spec },
    status: { currentPodHash: "b", stableRS: "a", ...status },
  });
  if (!parsed.ok) throw new Error(parsed.reason);
  expect(findOwnAct(parsed.value)).toEqual(is);
});
