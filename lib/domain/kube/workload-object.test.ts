import { describe, expect, it } from "vitest";
import { parseDaemonSet, parseDeployment } from "./workload-object.ts";

const metadata = { name: "podinfo-primary", namespace: "test", uid: "u1", resourceVersion: "7", generation: 3 };
const template = { spec: { containers: [{ image: "podinfo:1", env: [{ value: "planted" }] }, { name: "no-image" }] } };
const condition = {
  type: "Progressing",
  status: "False",
  reason: "ProgressDeadlineExceeded",
  message: "long",
  lastUpdateTime: "2026-08-01T10:00:00Z",
  lastTransitionTime: "2026-08-01T09:00:00Z",
};
const { message: _, ...kept } = condition;

describe("parseDeployment", () => {
  it("keeps what tells whether it is ready, its pod template, and nothing else", () => {
    const parsed = parseDeployment({
      kind: "Deployment",
      metadata,
      spec: { replicas: 2, progressDeadlineSeconds: 45, strategy: { type: "Recreate" }, template },
      status: { observedGeneration: 2, replicas: 3, updatedReplicas: 1, readyReplicas: 2, conditions: [condition] },
    });
    expect(parsed).toMatchObject({
      ok: true,
      value: {
        kind: "Deployment",
        generation: 3,
        observedGeneration: 2,
        desired: 2,
        replicas: 3,
        updated: 1,
        ready: 2,
        available: 0,
        strategy: "Recreate",
        progressDeadlineSeconds: 45,
        conditions: [kept],
        images: ["podinfo:1"],
      },
    });
    const { podTemplate, ...facts } = parsed.ok ? parsed.value : { podTemplate: undefined };
    expect(JSON.stringify(facts)).not.toContain("planted");
    expect(podTemplate).toEqual(template);
  });

  it("takes 0 for a value, and missing for unknown", () => {
    const zero = parseDeployment({ kind: "Deployment", metadata, spec: { replicas: 0, progressDeadlineSeconds: 0 } });
    expect(zero).toMatchObject({ value: { desired: 0, progressDeadlineSeconds: 0, conditions: [] } });
    const bare = parseDeployment({ kind: "Deployment", metadata, status: { conditions: null } });
    expect(bare).toMatchObject({ value: { desired: 1, observedGeneration: undefined, strategy: undefined } });
  });
});

describe("parseDaemonSet", () => {
  it("reads the counts of its nodes", () => {
    expect(
      parseDaemonSet({
        kind: "DaemonSet",
        metadata,
        spec: { updateStrategy: { type: "OnDelete" }, template },
        status: {
          observedGeneration: 3,
          desiredNumberScheduled: 5,
          currentNumberScheduled: 4,
          updatedNumberScheduled: 3,
          numberReady: 2,
          numberAvailable: 1,
        },
      }),
    ).toMatchObject({
      ok: true,
      value: {
        kind: "DaemonSet",
        desired: 5,
        replicas: 4,
        updated: 3,
        ready: 2,
        available: 1,
        observedGeneration: 3,
        strategy: "OnDelete",
        progressDeadlineSeconds: undefined,
        conditions: [],
        images: ["podinfo:1"],
      },
    });
  });

  it("refuses another kind", () => {
    expect(parseDaemonSet({ kind: "Deployment", metadata })).toMatchObject({ ok: false });
  });
});
