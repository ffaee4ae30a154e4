import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { recogniseHooksOf } from "#lib/domain/flagger/objects/canary-spec.ts";
import type { WorkloadState } from "#lib/domain/kube/workload-object.ts";
import { assessCanary, type CanaryAssessment } from "./canary-state.ts";
import { canaryOf } from "./testing/sample-canary.ts";

type CaseWorkload = {
  kind?: "DaemonSet";
  replicas?: number;
  updatedReplicas?: number;
  availableReplicas?: number;
  desiredNumberScheduled?: number;
  updatedNumberScheduled?: number;
  numberAvailable?: number;
  strategy?: string;
  conditions?: { type: string; status: string; reason: string; lastUpdateTime?: string }[];
};
type Case = {
  id: string;
  flaggerVersion: string | null;
  canary: { spec: Record<string, unknown>; status: Record<string, unknown> };
  primary: CaseWorkload | null;
  target: CaseWorkload | null;
  previousPhase?: string;
  previousLastAppliedSpec?: string;
  intervalsSinceChange?: number;
  lastKnownWeight?: number;
  lastEvents?: string[];
  deadline?: string;
  expect: {
    uiPhase: string;
    severity: string;
    trafficOnCanary: number | null;
    safeActions: string[];
    blockedActions: string[];
  };
};

const fixture = join(import.meta.dirname, "../../../../test/fixtures/conformance/flagger-cases.json");
const { canaryStates }: { canaryStates: Case[] } = JSON.parse(readFileSync(fixture, "utf8"));

function toWorkload(workload: CaseWorkload | null): WorkloadState | undefined {
  if (workload === null) return undefined;
  const desired = workload.desiredNumberScheduled ?? workload.replicas ?? 0;
  const available = workload.numberAvailable ?? workload.availableReplicas ?? 0;
  return {
    kind: workload.kind ?? "Deployment",
    desired,
    replicas: desired,
    updated: workload.updatedNumberScheduled ?? workload.updatedReplicas ?? desired,
    ready: available,
    available,
    generation: undefined,
    observedGeneration: undefined,
    strategy: workload.strategy,
    progressDeadlineSeconds: undefined,
    conditions: (workload.conditions ?? []).map(({ type, status, reason, lastUpdateTime }) => ({
      type,
      status,
      reason,
      lastUpdateTime,
      lastTransitionTime: undefined,
    })),
    images: [],
  };
}

function toStepGateWait(events: readonly string[]): { hook: string; at: string } | undefined {
  const hook = events.map((text) => /waiting for traffic increase approval (.+)$/.exec(text)?.[1]).at(-1);
  return hook === undefined ? undefined : { hook, at: "2026-08-01T10:00:00Z" };
}

function assessCase(one: Case): CanaryAssessment {
  const stepGateWait = toStepGateWait(one.lastEvents ?? []);
  return assessCanary({
    canary: canaryOf(one.canary),
    version: one.flaggerVersion,
    primary: toWorkload(one.primary),
    target: toWorkload(one.target),
    previous: {
      ...(one.previousPhase === undefined ? {} : { previousPhase: one.previousPhase }),
      ...(one.previousLastAppliedSpec === undefined ? {} : { previousAppliedSpec: one.previousLastAppliedSpec }),
      ...(one.intervalsSinceChange === undefined ? {} : { intervalsSinceChange: one.intervalsSinceChange }),
      ...(one.lastKnownWeight === undefined ? {} : { lastKnownWeight: one.lastKnownWeight }),
      ...(stepGateWait === undefined ? {} : { stepGateWait }),
    },
    isOurHook: recogniseHooksOf("c1"),
  });
}

/** The cases name one action per gate, and two changes that Gatehouse never offers. */
function isAllowed({ actions, gate, hazards }: CanaryAssessment, action: string): boolean {
  const isAt = (name: string): boolean => gate?.name === name;
  switch (action) {
    case "approve_start":
      return isAt("confirm-rollout") && actions.approve.safe;
    case "reject_start":
      return isAt("confirm-rollout") && actions.hold.safe;
    case "approve_step":
      return isAt("confirm-traffic-increase") && actions.approve.safe;
    case "approve_promotion":
      return isAt("confirm-promotion") && actions.approve.safe;
    case "rollback":
    case "suspend":
    case "retrigger":
      return actions[action].safe;
    case "resume":
      return actions.unsuspend.safe;
    case "skip_analysis":
      return actions["skip-analysis"].safe;
    case "delete_canary":
      return !hazards.some(({ change }) => change === "delete-canary");
    case "edit_service_spec":
      return !hazards.some(({ change }) => change === "edit-service-spec");
    default:
      throw new Error(`no such action: ${action}`);
  }
}

describe("the states that flagger-cases.json lists", () => {
  it.each(canaryStates)("$id", (one) => {
    const assessment = assessCase(one);
    expect({
      uiPhase: assessment.state.replaceAll("-", "_").toUpperCase(),
      severity: assessment.severity,
      trafficOnCanary: assessment.trafficOnCanary,
    }).toEqual({
      uiPhase: one.expect.uiPhase,
      severity: one.expect.severity,
      trafficOnCanary: one.expect.trafficOnCanary,
    });
    expect(one.expect.safeActions.filter((action) => !isAllowed(assessment, action))).toEqual([]);
    expect(one.expect.blockedActions.filter((action) => isAllowed(assessment, action))).toEqual([]);
    if (one.deadline !== undefined) expect(Date.parse(assessment.deadline ?? "")).toBe(Date.parse(one.deadline));
  });
});
