import { describe, expect, it } from "vitest";
import type { ManagedFieldsEntry } from "./managed-fields.ts";
import type { KubeObject } from "./store-types.ts";
import { rollout, testStore } from "./testing/objects.ts";

function ticking(): () => Date {
  let seconds = 0;
  return () => new Date(Date.UTC(2026, 10, 20, 8, 0, seconds++));
}

const entriesOf = (object: KubeObject) => object.metadata.managedFields as ManagedFieldsEntry[];
const managersOf = (object: KubeObject) =>
  entriesOf(object).map(({ manager, subresource = "main" }) => `${manager}/${subresource}`);

describe("managedFields", () => {
  const store = testStore({ now: ticking() });
  const made = store.create("rollouts", rollout("a", { metadata: { name: "a", labels: { app: "x" } } }), {
    manager: "kubectl",
  });

  it("names the creator with the fields it set", () => {
    expect(entriesOf(made)).toEqual([
      expect.objectContaining({
        manager: "kubectl",
        operation: "Update",
        apiVersion: "argoproj.io/v1alpha1",
        fieldsType: "FieldsV1",
        fieldsV1: {
          "f:metadata": { "f:labels": { ".": {}, "f:app": {} } },
          "f:spec": { ".": {}, "f:replicas": {}, "f:strategy": { ".": {}, "f:canary": { ".": {}, "f:steps": {} } } },
        },
      }),
    ]);
  });

  it("moves a field to the one who changes it, with the subresource, and takes removed ones from all", () => {
    const status = { pauseConditions: [{ reason: "CanaryPauseStep" }], currentStepIndex: 1 };
    const first = store.update("rollouts", { ...made, status }, { manager: "controller", subresource: "status" });
    const next = { ...first, status: { currentStepIndex: 2 } };
    const second = store.update("rollouts", next, { manager: "gatehouse", subresource: "status" });
    expect(managersOf(second)).toEqual(["kubectl/main", "controller/status", "gatehouse/status"]);
    expect(entriesOf(second)[1]?.fieldsV1).toEqual({ "f:status": { ".": {} } });
    expect(entriesOf(second)[2]?.fieldsV1).toEqual({ "f:status": { "f:currentStepIndex": {} } });
  });

  it("gives a writer a new time only when it took a field, as upstream does", () => {
    const before = store.create("rollouts", rollout("b"), { manager: "kubectl" });
    const trimmed = { ...before, spec: { strategy: before.spec?.strategy } };
    const removed = store.update("rollouts", trimmed, { manager: "kubectl" });
    expect(entriesOf(removed)[0]?.time).toBe(entriesOf(before)[0]?.time);
    const added = store.update(
      "rollouts",
      { ...removed, spec: { ...removed.spec, paused: true } },
      { manager: "kubectl" },
    );
    expect(managersOf(added)).toEqual(["kubectl/main"]);
    expect(entriesOf(added)[0]?.time).not.toBe(entriesOf(before)[0]?.time);
    expect(entriesOf(added)[0]?.fieldsV1["f:spec"]).toHaveProperty(["f:paused"]);
    expect(entriesOf(added)[0]?.fieldsV1["f:spec"]).not.toHaveProperty(["f:replicas"]);
  });

  it("drops a manager that owns nothing any more", () => {
    const before = store.create("rollouts", rollout("c", { spec: { replicas: 1 } }), { manager: "kubectl" });
    const labelled = { ...before, metadata: { ...before.metadata, labels: { x: "1" } } };
    const first = store.update("rollouts", labelled, { manager: "labeller" });
    const second = store.update(
      "rollouts",
      { ...first, metadata: before.metadata && { ...first.metadata, labels: undefined } },
      { manager: "other" },
    );
    expect(managersOf(second)).toEqual(["kubectl/main"]);
  });
});
