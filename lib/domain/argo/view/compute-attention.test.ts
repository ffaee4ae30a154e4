import { describe, expect, it } from "vitest";
import { parseRollout, type RolloutObject } from "#lib/domain/argo/objects/rollout-object.ts";
import type { Attention } from "#lib/domain/delivery/detail.ts";
import { computeAttention } from "./compute-attention.ts";

const now = "2026-11-20T12:00:00.000Z";
const since = "2026-11-20T11:00:00Z";
const at = "2026-11-20T11:00:00.000Z";

function rollout(status: object, spec: object = {}): RolloutObject {
  const parsed = parseRollout({
    kind: "Rollout",
    metadata: { name: "a", uid: "u", resourceVersion: "1" },
    spec: {
      strategy: {
        canary: {
          steps: [{ setWeight: 20 }, { pause: {} }, { pause: { duration: "30s" } }, { pause: { duration: 0 } }],
        },
      },
      ...spec,
    },
    status: { currentPodHash: "b", stableRS: "a", ...status },
  });
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.value;
}
const blueGreen = (fields: object = {}) => ({
  strategy: { blueGreen: { activeService: "a", autoPromotionEnabled: false, ...fields } },
});
const aborted = (message: string) => ({
  conditions: [{ type: "Progressing", status: "False", reason: "RolloutAborted", message }],
});
const pause = (reason: string) => ({ pauseConditions: [{ reason, startTime: since }] });

type Case = {
  name: string;
  rollout: RolloutObject;
  phase?: "Healthy" | "Progressing" | "Paused" | "Degraded";
  previous?: Pick<Attention, "reason" | "since">;
  skippedGates?: { at: string }[];
  result: Attention | undefined;
};

const cases: Case[] = [
  {
    name: "a gate that the controller skipped",
    rollout: rollout({}),
    skippedGates: [{ at }, { at: now }],
    result: { reason: "finding", since: at, severity: "warning" },
  },
  {
    name: "a skipped gate while an Inconclusive run waits for a person",
    rollout: rollout(pause("InconclusiveAnalysisRun")),
    skippedGates: [{ at: now }],
    result: { reason: "inconclusive", since: at, severity: "warning" },
  },
  { name: "healthy", rollout: rollout({}), phase: "Healthy", result: undefined },
  { name: "progressing", rollout: rollout({}), phase: "Progressing", result: undefined },
  {
    name: "at a pause without an end",
    rollout: rollout({ ...pause("CanaryPauseStep"), currentStepIndex: 1 }),
    result: { reason: "pause", since: at, severity: "info" },
  },
  {
    name: "at a timed pause",
    rollout: rollout({ ...pause("CanaryPauseStep"), currentStepIndex: 2 }),
    result: undefined,
  },
  {
    name: "at a pause of zero seconds",
    rollout: rollout({ ...pause("CanaryPauseStep"), currentStepIndex: 3 }),
    result: undefined,
  },
  {
    name: "Inconclusive",
    rollout: rollout(pause("InconclusiveAnalysisRun")),
    result: { reason: "inconclusive", since: at, severity: "warning" },
  },
  {
    name: "Inconclusive experiment",
    rollout: rollout(pause("InconclusiveExperiment")),
    result: { reason: "inconclusive", since: at, severity: "warning" },
  },
  {
    name: "Inconclusive behind a pause step",
    rollout: rollout({
      currentStepIndex: 1,
      pauseConditions: [
        { reason: "CanaryPauseStep", startTime: "2026-11-20T10:00:00Z" },
        { reason: "InconclusiveAnalysisRun", startTime: since },
      ],
    }),
    result: { reason: "inconclusive", since: at, severity: "warning" },
  },
  {
    name: "a background run is Inconclusive, and no pause says so",
    rollout: rollout({
      ...pause("CanaryPauseStep"),
      currentStepIndex: 2,
      canary: { currentBackgroundAnalysisRunStatus: { name: "r", status: "Inconclusive" } },
    }),
    result: { reason: "inconclusive", since: at, severity: "warning" },
  },
  {
    name: "an Inconclusive run of a promoted revision",
    rollout: rollout({
      stableRS: "b",
      canary: { currentBackgroundAnalysisRunStatus: { name: "r", status: "Inconclusive" } },
    }),
    phase: "Healthy",
    result: undefined,
  },
  {
    name: "aborted",
    rollout: rollout({ abort: true, abortedAt: since }),
    phase: "Degraded",
    result: { reason: "degraded", since: at, severity: "critical" },
  },
  {
    name: "aborted by a client, the controller gives no cause",
    rollout: rollout({ abort: true, abortedAt: since, ...aborted("Rollout aborted update to revision 2") }),
    phase: "Degraded",
    result: { reason: "degraded", since: at, severity: "info" },
  },
  ...[
    { what: "InvalidSpec", conditions: [{ type: "InvalidSpec", status: "True", lastTransitionTime: now }] },
    { what: "ReplicaFailure", conditions: [{ type: "ReplicaFailure", status: "True" }] },
    { what: "too few pods", conditions: [{ type: "Available", status: "False" }] },
  ].map(({ what, conditions }) => ({
    name: `aborted by a client, and ${what}`,
    rollout: rollout({
      abort: true,
      abortedAt: since,
      conditions: [...aborted("Rollout aborted update to revision 2").conditions, ...conditions],
    }),
    phase: "Degraded" as const,
    result: { reason: "degraded" as const, since: what === "InvalidSpec" ? now : at, severity: "critical" as const },
  })),
  {
    name: "aborted by a client, and the active Service is still the new version's",
    rollout: rollout(
      {
        abort: true,
        abortedAt: since,
        blueGreen: { activeSelector: "b" },
        ...aborted("Rollout aborted update to revision 2"),
      },
      blueGreen(),
    ),
    phase: "Degraded",
    result: { reason: "degraded", since: at, severity: "critical" },
  },
  {
    name: "aborted by the controller, which gives the cause",
    rollout: rollout({
      abort: true,
      abortedAt: since,
      ...aborted('Rollout aborted update to revision 2: Step-based analysis phase error/failed: Metric "ok"'),
    }),
    phase: "Degraded",
    result: { reason: "degraded", since: at, severity: "critical" },
  },
  {
    name: "degraded by its condition",
    rollout: rollout({ conditions: [{ type: "InvalidSpec", lastTransitionTime: since }] }),
    phase: "Degraded",
    result: { reason: "degraded", since: at, severity: "critical" },
  },
  {
    name: "degraded, nobody says since when",
    rollout: rollout({}),
    phase: "Degraded",
    result: { reason: "degraded", since: now, severity: "critical" },
  },
  {
    name: "degraded, as before",
    rollout: rollout({}),
    phase: "Degraded",
    previous: { reason: "degraded", since: at },
    result: { reason: "degraded", since: at, severity: "critical" },
  },
  {
    name: "degraded, before for another reason",
    rollout: rollout({}),
    phase: "Degraded",
    previous: { reason: "pause", since: at },
    result: { reason: "degraded", since: now, severity: "critical" },
  },
  {
    name: "blue-green waits",
    rollout: rollout(pause("BlueGreenPause"), blueGreen()),
    result: { reason: "blueGreenPromotion", since: at, severity: "info" },
  },
  {
    name: "blue-green goes on by itself",
    rollout: rollout(pause("BlueGreenPause"), blueGreen({ autoPromotionEnabled: true, autoPromotionSeconds: 30 })),
    result: undefined,
  },
  {
    name: "blue-green waits for a person although it names seconds: autoPromotionEnabled: false outranks them",
    rollout: rollout(pause("BlueGreenPause"), blueGreen({ autoPromotionSeconds: 30 })),
    result: { reason: "blueGreenPromotion", since: at, severity: "info" },
  },
  {
    name: "blue-green, zero seconds is no end",
    rollout: rollout(pause("BlueGreenPause"), blueGreen({ autoPromotionSeconds: 0 })),
    result: { reason: "blueGreenPromotion", since: at, severity: "info" },
  },
  {
    name: "paused by a person",
    rollout: rollout({ conditions: [{ type: "Paused", lastTransitionTime: since }] }, { paused: true }),
    result: { reason: "pause", since: at, severity: "info" },
  },
  {
    name: "a pause reason that we do not know",
    rollout: rollout(pause("Somehow")),
    result: { reason: "pause", since: at, severity: "info" },
  },
];

describe("computeAttention", () => {
  it.each(cases)("$name", ({ rollout, phase = "Paused", previous, skippedGates = [], result }) => {
    expect(computeAttention({ rollout, view: { phase }, skippedGates, previous, now })).toEqual(result);
  });
});
