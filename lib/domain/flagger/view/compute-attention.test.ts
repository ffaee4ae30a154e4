import { describe, expect, it } from "vitest";
import { assessCanary } from "./canary-state.ts";
import { computeCanaryAttention } from "./compute-attention.ts";
import { canaryOf } from "./testing/sample-canary.ts";
import { emptyWorkload, workloadOf } from "./testing/sample-workload.ts";

const now = "2026-08-01T12:00:00.000Z";
const entered = "2026-08-01T10:00:00.000Z";

function findAttention({
  phase,
  spec = {},
  weight = 0,
  stepGateWait,
  previous,
  isEmpty = false,
}: {
  phase: string;
  spec?: object;
  weight?: number;
  stepGateWait?: { hook: string; at: string };
  previous?: { reason: "pause" | "gate"; since: string };
  isEmpty?: boolean;
}) {
  const canary = canaryOf({
    spec: {
      provider: "istio",
      targetRef: { kind: "Deployment", name: "podinfo" },
      analysis: { stepWeight: 10 },
      ...spec,
    },
    status: {
      phase,
      canaryWeight: weight,
      // Flagger writes this time at each check of a failed Canary.
      lastTransitionTime: "2026-08-01T11:59:50Z",
      conditions: [
        {
          type: "Promoted",
          reason: phase,
          lastUpdateTime: "2026-08-01T10:00:00Z",
          lastTransitionTime: "2026-08-01T09:00:00Z",
        },
      ],
    },
  });
  const history = stepGateWait === undefined ? {} : { stepGateWait };
  const primary = isEmpty ? emptyWorkload() : workloadOf();
  const assessment = assessCanary({
    canary,
    version: "1.44.0",
    primary,
    target: workloadOf(),
    previous: history,
    isOurHook: () => true,
  });
  return computeCanaryAttention({ canary, assessment, history, previous, now });
}

describe("why a Canary waits for a person", () => {
  it.each([
    { name: "a start", asked: { phase: "Waiting" }, is: { reason: "gate", severity: "info", since: entered } },
    {
      name: "a promotion",
      asked: { phase: "WaitingPromotion" },
      is: { reason: "gate", severity: "info", since: entered },
    },
    {
      name: "a step",
      asked: { phase: "Progressing", stepGateWait: { hook: "step", at: "2026-08-01T11:00:00Z" } },
      is: { reason: "gate", severity: "info", since: "2026-08-01T11:00:00.000Z" },
    },
    { name: "a failure", asked: { phase: "Failed" }, is: { reason: "degraded", severity: "warning", since: entered } },
    {
      name: "a failed promotion, though the primary has recovered",
      asked: { phase: "Failed", weight: 100 },
      is: { reason: "degraded", severity: "critical", since: entered },
    },
    {
      name: "a promotion at risk",
      asked: { phase: "Promoting", weight: 50, isEmpty: true },
      is: { reason: "degraded", severity: "critical", since: entered },
    },
    {
      name: "a suspension",
      asked: { phase: "Succeeded", spec: { suspend: true } },
      is: { reason: "pause", severity: "info", since: now },
    },
    {
      name: "a suspension that was seen before",
      asked: { phase: "Succeeded", spec: { suspend: true }, previous: { reason: "pause", since: entered } },
      is: { reason: "pause", severity: "info", since: entered },
    },
  ] as const)("$name", ({ asked, is }) => {
    expect(findAttention(asked)).toEqual(is);
  });

  it.each(["", "Initialized", "Progressing", "Promoting", "Finalising", "Succeeded", "Terminating", "New"])(
    "nobody in %s",
    (phase) => {
      expect(findAttention({ phase, weight: phase === "Promoting" ? 50 : 0 })).toBe(undefined);
    },
  );
});
