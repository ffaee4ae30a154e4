import { describe, expect, it } from "vitest";
import type { ReadBack } from "#lib/domain/acting/effect.ts";
import type { RolloutObject } from "#lib/domain/argo/objects/rollout-object.ts";
import { type ExpectedEffect, planEffect } from "#lib/domain/argo/plan/action-effect.ts";
import { at, later, pausedAt, rolloutOf, written } from "#lib/domain/argo/plan/testing/effect-samples.ts";
import { computeViewDigest } from "#lib/domain/argo/view/decision-view.ts";
import { ObjectMeta } from "#lib/domain/kube/kube-object.ts";
import { assessReadBack, assessTargetReadBack } from "./assess-read-back.ts";

const sentAt = new Date("2026-11-20T12:00:00.400Z");
const terminate = { spec: { terminate: true } };
const entry = (manager: string, fieldsV1: unknown, time = "2026-11-20T12:00:00Z") => ({
  manager,
  operation: "Update",
  time,
  fieldsV1,
});
const held = { "f:spec": { "f:terminate": {} } };
const other = { "f:spec": { "f:metrics": {} }, "f:status": { "f:phase": {} } };

type Case = { name: string; managedFields?: unknown; body?: unknown; outcome: ReadBack["outcome"]; says: string };
it.each<Case>([
  {
    name: "Gatehouse holds the field",
    managedFields: [entry("gatehouse", held)],
    outcome: "applied",
    says: "with Gatehouse's own mark",
  },
  {
    name: "another client holds it",
    managedFields: [entry("kubectl-patch", held), entry("rollouts-controller", other)],
    outcome: "undecidable",
    says: "but this request did not change it: kubectl-patch wrote it",
  },
  {
    name: "another client holds it, and Gatehouse wrote something else since",
    managedFields: [entry("rollouts-controller", held), entry("gatehouse", { "f:metadata": { "f:annotations": {} } })],
    outcome: "undecidable",
    says: "but this request did not change it: rollouts-controller wrote it",
  },
  {
    name: "Gatehouse has held it since before",
    managedFields: [entry("gatehouse", held, "2026-11-20T11:59:59Z")],
    outcome: "applied",
    says: "not whether this request or another client",
  },
  {
    name: "nobody is said to hold it",
    managedFields: [entry("kubectl-patch", other)],
    outcome: "applied",
    says: "not whether this request or another client",
  },
  { name: "nothing is told", outcome: "applied", says: "not whether this request or another client" },
  {
    name: "one of two fields is held by Gatehouse",
    managedFields: [entry("kubectl-patch", held), entry("gatehouse", { "f:spec": { "f:paused": {} } })],
    body: { spec: { terminate: true, paused: true } },
    outcome: "applied",
    says: "with Gatehouse's own mark",
  },
  {
    name: "of one of two fields nobody is named",
    managedFields: [entry("kubectl-patch", held)],
    body: { spec: { terminate: true, paused: true } },
    outcome: "applied",
    says: "not whether this request or another client",
  },
  {
    name: "the patch only removes, and another client wrote",
    managedFields: [entry("kubectl-patch", held)],
    body: { spec: { terminate: null } },
    outcome: "applied",
    says: "not whether this request or another client",
  },
  {
    name: "the patch sets a pod template",
    managedFields: [entry("kubectl-patch", { "f:spec": { "f:template": { "f:spec": {} } } })],
    body: { spec: { template: { spec: { containers: [] } } } },
    outcome: "applied",
    says: "not whether this request or another client",
  },
])("is as asked, and $name: $outcome", ({ managedFields, body = terminate, outcome, says }) => {
  const verdict = assessTargetReadBack({
    metadata: ObjectMeta.parse({ name: "run", uid: "r-1", resourceVersion: "6", managedFields }),
    target: { resource: "analysisruns", kind: "AnalysisRun", name: "run", uid: "r-1", resourceVersion: "5" },
    carries: true,
    isAsBefore: false,
    isGraceOver: false,
    sentAt,
    unproven: [body],
  });
  expect(verdict.outcome).toBe(outcome);
  expect("message" in verdict && verdict.message).toContain(says);
});

describe("assessReadBack", () => {
  const before = rolloutOf(pausedAt(at));

  type Read = {
    name: string;
    kind?: ExpectedEffect["kind"];
    now: RolloutObject;
    carries: boolean[];
    late: boolean;
    outcome: string;
    /** Whether spec.paused held it when the action was planned. */
    held?: boolean;
    message?: string;
  };
  it.each<Read>([
    { name: "same version, early", now: before, carries: [false], late: false, outcome: "waiting" },
    { name: "same version, late", now: before, carries: [false], late: true, outcome: "refused" },
    {
      name: "other version, same view, early",
      now: rolloutOf(pausedAt(at), { resourceVersion: "2" }),
      carries: [false],
      late: false,
      outcome: "waiting",
    },
    {
      name: "carried",
      now: rolloutOf({ controllerPause: true }, { resourceVersion: "2" }),
      carries: [true],
      late: false,
      outcome: "applied",
    },
    {
      name: "effect shows",
      now: rolloutOf({ currentStepIndex: 3, ...pausedAt(later), ...written }, { resourceVersion: "2" }),
      carries: [false],
      late: false,
      outcome: "applied",
    },
    {
      name: "half carried, the other half may still come",
      now: rolloutOf({ controllerPause: true }, { resourceVersion: "2" }),
      carries: [true, false],
      late: false,
      outcome: "waiting",
    },
    {
      name: "half carried, late",
      now: rolloutOf({ controllerPause: true }, { resourceVersion: "2" }),
      carries: [true, false],
      late: true,
      outcome: "partial",
    },
    {
      name: "still waits, other change",
      now: rolloutOf({ ...pausedAt(at), promoteFull: true }, { resourceVersion: "2" }),
      carries: [false],
      late: true,
      outcome: "refused",
    },
    {
      name: "created again",
      now: rolloutOf({}, { uid: "u-2", resourceVersion: "2" }),
      carries: [false],
      late: true,
      outcome: "undecidable",
    },
    {
      name: "new revision",
      now: rolloutOf({ currentPodHash: "newer" }, { resourceVersion: "2" }),
      carries: [false],
      late: true,
      outcome: "undecidable",
    },
    // spec.paused is lifted, the gate remains.
    ...(["resumed", "step-passed", "measured-again"] as const).map((kind) => ({
      name: `${kind}, the first of two patches`,
      kind,
      now: rolloutOf(pausedAt(at), { resourceVersion: "2" }),
      held: true,
      carries: [true, false],
      late: true,
      outcome: "partial",
      message: "Read back: partially applied, patch 1 of 2 only.",
    })),
    {
      name: "promoted, the first of two patches",
      kind: "promoted",
      now: rolloutOf({ ...pausedAt(at), promoteFull: true }, { resourceVersion: "2", paused: true }),
      held: true,
      carries: [true, false],
      late: true,
      outcome: "partial",
    },
    {
      name: "resumed, both patches, and held again by somebody who used it up",
      now: rolloutOf({ controllerPause: false }, { resourceVersion: "3", paused: true }),
      held: true,
      carries: [false, true],
      late: true,
      outcome: "undecidable",
    },
    {
      name: "resumed, both patches, and held again by somebody at the next step",
      now: rolloutOf(
        { controllerPause: false, currentStepIndex: 2, ...written },
        { resourceVersion: "3", paused: true },
      ),
      held: true,
      carries: [false, true],
      late: true,
      outcome: "applied",
    },
  ])("$name: $outcome", ({ kind = "resumed", now, carries, late, outcome, held = false, message }) => {
    const planned = rolloutOf(pausedAt(at), { paused: held });
    const verdict = assessReadBack({
      rollout: now,
      carries,
      before: { digest: computeViewDigest(planned), resourceVersion: "1" },
      expected: planEffect({ rollout: planned, kind }),
      isGraceOver: late,
      sentAt: new Date(),
    });
    expect(verdict).toMatchObject({ outcome, ...(message === undefined ? {} : { message }) });
  });
});
