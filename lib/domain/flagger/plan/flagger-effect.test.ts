import { describe, expect, it } from "vitest";
import { parseCanary } from "#lib/domain/flagger/objects/canary-object.ts";
import { assessEffect, makeEffect } from "./flagger-effect.ts";

type Status = { phase: string; canaryWeight?: number; lastAppliedSpec?: string };

function canaryOf(status: Status, { uid = "u1", suspend = false } = {}) {
  const parsed = parseCanary({
    apiVersion: "flagger.app/v1beta1",
    kind: "Canary",
    metadata: { name: "web", namespace: "shop", uid, resourceVersion: "7" },
    spec: {
      targetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" },
      analysis: { interval: "10s" },
      suspend,
    },
    status: { lastAppliedSpec: "B", lastPromotedSpec: "A", ...status },
  });
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.value;
}

type Case = {
  name: string;
  effect: Parameters<typeof makeEffect>[1];
  /** When the person clicked. */
  before?: Status;
  now: Status;
  is: "pending" | "effective" | "not-effective";
};

const atStart: Status = { phase: "Waiting", lastAppliedSpec: "A" };
const start = { kind: "gate-passed", gate: "confirm-rollout" } as const;
const step = { kind: "gate-passed", gate: "confirm-traffic-increase", weight: 20 } as const;
const promotion = { kind: "gate-passed", gate: "confirm-promotion" } as const;
const rollback = { kind: "rolled-back", gate: "rollback" } as const;

describe("an action on a canary", () => {
  it.each<Case>([
    { name: "a start: Flagger has not asked", effect: start, before: atStart, now: atStart, is: "pending" },
    { name: "a start: it analyses", effect: start, before: atStart, now: { phase: "Progressing" }, is: "effective" },
    {
      name: "a start: it was promoted at once",
      effect: start,
      before: atStart,
      now: { phase: "Succeeded" },
      is: "effective",
    },
    {
      name: "a start: it failed before",
      effect: start,
      before: atStart,
      now: { phase: "Failed", lastAppliedSpec: "A" },
      is: "not-effective",
    },
    {
      name: "a step: the weight is the same",
      effect: step,
      now: { phase: "Progressing", canaryWeight: 20 },
      is: "pending",
    },
    { name: "a step: the weight rose", effect: step, now: { phase: "Progressing", canaryWeight: 40 }, is: "effective" },
    {
      name: "a step: the last one, which ends at the next gate",
      effect: step,
      now: { phase: "WaitingPromotion", canaryWeight: 0 },
      is: "effective",
    },
    {
      name: "a step: the last one, which starts the promotion",
      effect: step,
      now: { phase: "Promoting", canaryWeight: 20 },
      is: "effective",
    },
    {
      name: "a step: another version",
      effect: step,
      now: { phase: "Progressing", canaryWeight: 40, lastAppliedSpec: "C" },
      is: "not-effective",
    },
    { name: "a step: it failed", effect: step, now: { phase: "Failed", canaryWeight: 0 }, is: "not-effective" },
    { name: "a promotion: it waits", effect: promotion, now: { phase: "WaitingPromotion" }, is: "pending" },
    { name: "a promotion: it promotes", effect: promotion, now: { phase: "Promoting" }, is: "effective" },
    { name: "a rollback: it runs", effect: rollback, now: { phase: "Progressing", canaryWeight: 20 }, is: "pending" },
    { name: "a rollback: it failed", effect: rollback, now: { phase: "Failed" }, is: "effective" },
    { name: "a rollback: it promotes", effect: rollback, now: { phase: "Promoting" }, is: "not-effective" },
    {
      name: "a rollback: another version",
      effect: rollback,
      now: { phase: "Progressing", lastAppliedSpec: "C" },
      is: "not-effective",
    },
    { name: "skipped: it still analyses", effect: { kind: "promoted" }, now: { phase: "Progressing" }, is: "pending" },
    { name: "skipped: it promotes", effect: { kind: "promoted" }, now: { phase: "Promoting" }, is: "effective" },
    {
      name: "a retrigger: the same revision",
      effect: { kind: "retriggered" },
      before: { phase: "Failed" },
      now: { phase: "Failed" },
      is: "pending",
    },
    {
      name: "a retrigger: noted, and not begun",
      effect: { kind: "retriggered" },
      before: { phase: "Failed" },
      now: { phase: "Failed", lastAppliedSpec: "C" },
      is: "pending",
    },
    {
      name: "a retrigger: a new run",
      effect: { kind: "retriggered" },
      before: { phase: "Failed" },
      now: { phase: "Progressing", lastAppliedSpec: "C" },
      is: "effective",
    },
    {
      name: "a retrigger: at the start gate",
      effect: { kind: "retriggered" },
      before: { phase: "Failed" },
      now: { phase: "Waiting" },
      is: "effective",
    },
    {
      name: "a hold: it still waits",
      effect: { kind: "gate-held", gate: "confirm-promotion" },
      now: { phase: "WaitingPromotion" },
      is: "effective",
    },
    {
      name: "a hold: it came too late",
      effect: { kind: "gate-held", gate: "confirm-promotion" },
      now: { phase: "Promoting" },
      is: "not-effective",
    },
  ])("$name", ({ effect, before = { phase: "Progressing", canaryWeight: 20 }, now, is }) => {
    expect(assessEffect(makeEffect(canaryOf(before), effect), canaryOf(now)).state).toBe(is);
  });

  it("ends with the canary", () => {
    const effect = makeEffect(canaryOf({ phase: "WaitingPromotion" }), promotion);
    expect(assessEffect(effect, canaryOf({ phase: "Promoting" }, { uid: "u2" }))).toEqual({
      state: "not-effective",
      message: "The canary was deleted and created again.",
    });
  });

  it.each([true, false])("suspend: %s", (suspend) => {
    const phase = "Progressing";
    const effect = makeEffect(canaryOf({ phase }), { kind: suspend ? "suspended" : "unsuspended" });
    expect(assessEffect(effect, canaryOf({ phase }, { suspend })).state).toBe("effective");
    expect(assessEffect(effect, canaryOf({ phase }, { suspend: !suspend })).state).toBe("not-effective");
  });
});
