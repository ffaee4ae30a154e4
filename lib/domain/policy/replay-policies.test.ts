import { describe, expect, it } from "vitest";
import type { Policies } from "./decide.ts";
import type { FreezeRule } from "./freeze.ts";
import {
  type AuditedAction,
  isReproduced,
  type RecordedRefusal,
  type ReplayedRule,
  replayPolicies,
} from "./replay-policies.ts";
import { everywhere } from "./rights.ts";
import { advance, none, saturdays, target, two, weekdays, weekend } from "./testing/sample-rules.ts";

let seq = 0;
/** 20 November 2026 is a Friday. */
function audited(at: string, more: Partial<AuditedAction> = {}): AuditedAction {
  const brought = { reason: "fine", approvals: [], breaksFreeze: false, isRobot: false };
  return { seq: ++seq, at: new Date(`2026-11-${at}:00Z`), action: advance, target, brought, ...more };
}

function replay(options: {
  policies: Partial<Policies>;
  actions: AuditedAction[];
  inForce?: FreezeRule[];
}): ReplayedRule[] {
  const { policies, actions, inForce = [] } = options;
  const steps = replayPolicies({ policies: { ...none, ...policies }, inForce, actions });
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

describe("replayPolicies", () => {
  it("finds what a freeze would have refused, and how long it would have waited", () => {
    const actions = [audited("20T17:59"), audited("20T18:00"), audited("21T10:00"), audited("23T08:00")];
    const [rule] = replay({ policies: { freezes: [weekend] }, actions });
    expect(rule?.actions.map(({ seq: at, would, waitMinutes }) => [at, would, waitMinutes])).toEqual([
      [actions[1]?.seq, "refuse", 62 * 60],
      [actions[2]?.seq, "refuse", 46 * 60],
    ]);
  });

  it("does not know the end of a freeze that always begins again", () => {
    const daily = { ...weekend, start: "0 0 * * *", durationMinutes: 24 * 60 };
    const [rule] = replay({ policies: { freezes: [daily] }, actions: [audited("20T10:00")] });
    expect(rule?.actions).toMatchObject([{ would: "refuse", waitMinutes: undefined }]);
  });

  it("waits for the next release window, also for one in force", () => {
    const actions = [audited("20T20:00")];
    const alone = replay({ policies: { freezes: [weekdays] }, actions });
    const beside = replay({ policies: { freezes: [weekdays] }, actions, inForce: [saturdays, weekend] });
    expect([alone, beside].map(([rule]) => rule?.actions[0]?.waitMinutes)).toEqual([61 * 60, 13 * 60]);
  });

  it("has each rule, in the order of the config's lists, with its own actions", () => {
    const actions = [
      audited("18T10:00"),
      audited("18T11:00", { brought: { ...audited("18T11:00").brought, reason: undefined } }),
    ];
    const reason = { scope: everywhere, actions: ["*"], required: true };
    const rules = replay({ policies: { freezes: [weekend], secondPerson: [two], reasons: [reason] }, actions });
    expect(rules.map(({ list, actions: own }) => [list, own.map(({ would }) => would)])).toEqual([
      ["freezes", []],
      ["secondPerson", ["require a second person", "require a second person"]],
      ["reasons", ["require a reason"]],
    ]);
    expect(rules[1]?.actions[0]?.waitMinutes).toBeUndefined();
  });
});

describe("isReproduced", () => {
  const refusal = (more: Partial<RecordedRefusal>): RecordedRefusal => {
    const { brought: _, ...action } = audited("21T10:00");
    return { ...action, problem: "frozen", policy: "weekend", reason: true, ...more };
  };
  const reason = { scope: everywhere, actions: ["*"], required: true };

  it.each<{ name: string; policies: Partial<Policies>; refusal: Partial<RecordedRefusal>; is: boolean }>([
    { name: "a freeze", policies: { freezes: [weekend] }, refusal: {}, is: true },
    {
      name: "two freezes, named together",
      policies: { freezes: [weekend, { ...weekend, name: "a, b" }] },
      refusal: { policy: "weekend, a, b" },
      is: true,
    },
    {
      name: "a freeze that had just begun",
      policies: { freezes: [weekend, { ...weekend, name: "made" }] },
      refusal: { policy: "made" },
      is: true,
    },
    { name: "a freeze of another name", policies: { freezes: [weekend] }, refusal: { policy: "other" }, is: false },
    { name: "a freeze at another time", policies: { freezes: [weekend] }, refusal: { at: new Date(0) }, is: false },
    {
      name: "an old sign-in",
      policies: { freezes: [weekend] },
      refusal: { problem: "reauthentication_required" },
      is: true,
    },
    {
      name: "no second person",
      policies: { secondPerson: [two] },
      refusal: { problem: "second_person_required", policy: "two" },
      is: true,
    },
    { name: "no rule of two people", policies: {}, refusal: { problem: "second_person_required" }, is: false },
    {
      name: "no reason, by default",
      policies: {},
      refusal: { problem: "reason_required", reason: false },
      is: true,
    },
    {
      name: "a reason that was given",
      policies: { reasons: [reason] },
      refusal: { problem: "reason_required" },
      is: false,
    },
    {
      name: "a reason that was waived",
      policies: { reasons: [{ ...reason, required: false }] },
      refusal: { problem: "reason_required", reason: false },
      is: false,
    },
    { name: "another problem", policies: { freezes: [weekend] }, refusal: { problem: "stale_view" }, is: false },
  ])("$name: $is", ({ policies, refusal: more, is }) => {
    expect(isReproduced({ policies: { ...none, ...policies }, refusal: refusal(more) })).toBe(is);
  });
});
