import { describe, expect, it } from "vitest";
import { computeCanaryDecisionView, computeCanaryViewDigest } from "./decision-view.ts";
import { canaryOf } from "./testing/sample-canary.ts";

type Parts = { spec?: object; analysis?: object; status?: object; metadata?: Record<string, unknown> };

const stepGate = { name: "step", type: "confirm-traffic-increase", url: "http://u:secret@x/" };
const at = ({ spec = {}, analysis = {}, status = {}, metadata = {} }: Parts) =>
  canaryOf({
    metadata,
    spec: {
      targetRef: { kind: "Deployment", name: "podinfo" },
      analysis: { interval: "1m", threshold: 5, stepWeight: 10, ...analysis },
      ...spec,
    },
    status: {
      phase: "Progressing",
      canaryWeight: 20,
      failedChecks: 1,
      iterations: 0,
      lastAppliedSpec: "new",
      trackedConfigs: { "secret/a": "1" },
      lastTransitionTime: "2026-08-01T10:00:00Z",
      ...status,
    },
  });
const digestAt = (parts: Parts) => computeCanaryViewDigest(at(parts));

describe("the digest of what a person sees", () => {
  const before = digestAt({});

  it.each<[string, Parts]>([
    ["failed checks below the threshold", { status: { failedChecks: 4 } }],
    ["iterations", { status: { iterations: 3 } }],
    ["the weight, if no step needs an approval", { status: { canaryWeight: 30 } }],
    ["times", { status: { lastTransitionTime: "2026-08-01T10:01:00Z" } }],
    ["the resourceVersion", { metadata: { resourceVersion: "2" } }],
    ["annotations", { metadata: { annotations: { note: "x" } } }],
    ["conditions", { status: { conditions: [{ type: "Promoted", message: "x" }] } }],
  ])("does not change with %s", (_, parts) => {
    expect(digestAt(parts)).toBe(before);
  });

  it.each<[string, Parts]>([
    ["the object", { metadata: { uid: "u2" } }],
    ["the spec", { analysis: { threshold: 6 } }],
    ["the phase", { status: { phase: "WaitingPromotion" } }],
    ["the revision", { status: { lastAppliedSpec: "newer" } }],
    ["the configs", { status: { trackedConfigs: { "secret/a": "2" } } }],
    ["suspend", { spec: { suspend: true } }],
    ["skipAnalysis", { spec: { skipAnalysis: true } }],
    ["the threshold being reached", { status: { failedChecks: 5 } }],
  ])("changes with %s", (_, parts) => {
    expect(digestAt(parts)).not.toBe(before);
    expect(digestAt(parts)).toMatch(/^[0-9a-f]{64}$/);
  });

  it("changes with the weight if each step needs an approval", () => {
    const gated = (canaryWeight: number) => ({ analysis: { webhooks: [stepGate] }, status: { canaryWeight } });
    expect(digestAt(gated(20))).not.toBe(digestAt(gated(30)));
    expect(computeCanaryDecisionView(at(gated(20)))).toMatchObject({ gate: stepGate.type, weight: 20 });
  });

  it("contains no secret", () => {
    expect(JSON.stringify(computeCanaryDecisionView(at({ analysis: { webhooks: [stepGate] } })))).not.toContain(
      "secret@",
    );
  });
});
