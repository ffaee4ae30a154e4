import { describe, expect, it } from "vitest";
import {
  assessAsk,
  describeAsk,
  describeGuard,
  explainNotAcceptable,
  explainNotApprovable,
  findOwnApproval,
} from "#components/actions/assess-ask.ts";
import { sampleApproval } from "#components/actions/testing/sample-approval.ts";
import type { Approval } from "#lib/contract/approval.ts";
import type { AllowedAction } from "#lib/contract/rollout.ts";

type Needs = AllowedAction["needs"];
const free: Needs = { reason: false, secondPerson: null, freeze: null, breakGlass: false };
const two: Needs = { ...free, secondPerson: { rule: "four eyes", expireMinutes: 60, because: "Two." } };
const freeze = { name: "weekend", until: "2026-11-23T07:00:00.000Z", because: "Frozen." };
const frozen: Needs = { ...free, freeze, breakGlass: true };
const waiting: Needs = { ...free, barrier: { set: "checkout", because: "Waits." }, breakGlass: true };

const approval = (change: Partial<Approval> = {}): Approval => ({
  ...sampleApproval,
  rollout: { id: "c/n/Rollout/a", cluster: "c", namespace: "n", kind: "Rollout", name: "a" },
  state: "approved",
  own: true,
  ...change,
});

describe("findOwnApproval", () => {
  it("is about the version that waits, if the action is about one", () => {
    const find = (asked: string | null, targetVersion?: string) =>
      findOwnApproval({
        approvals: [approval({ targetVersion: asked })],
        target: { id: "c/n/Rollout/a", viewDigest: "d" },
        action: { action: "promote-full", ...(targetVersion === undefined ? {} : { targetVersion }) },
      })?.id !== undefined;
    expect([find("u/4", "u/4"), find("u/4", "u/5"), find(null, "u/5"), find(null)]).toEqual([true, false, false, true]);
  });

  const find = (...approvals: Approval[]) =>
    findOwnApproval({ approvals, target: { id: "c/n/Rollout/a", viewDigest: "d" }, action: { action: "promote-full" } })
      ?.id;

  it.each<[string, Partial<Approval>, string | undefined]>([
    ["one's own, approved", {}, "1"],
    ["one's own, pending", { state: "pending" }, "1"],
    ["somebody else's", { own: false }, undefined],
    ["rejected", { state: "rejected" }, undefined],
    ["for another action", { action: "abort" }, undefined],
    ["for another view", { viewDigest: "e" }, undefined],
    ["for other parameters", { params: { toRevision: 0 } }, undefined],
    ["for a run of the rollout", { subject: { kind: "AnalysisRun", name: "r", uid: "1" } }, undefined],
    ["for another rollout", { rollout: { ...approval().rollout, id: "c/n/Rollout/b" } }, undefined],
  ])("%s", (_name, change, id) => {
    expect(find(approval(change))).toBe(id);
  });

  it("is of one run alone", () => {
    const subject = { kind: "AnalysisRun", name: "r", uid: "1" } as const;
    const target = { id: "c/n/Rollout/a", viewDigest: "d", subject };
    const own = (uid: string) =>
      findOwnApproval({
        approvals: [approval({ subject: { ...subject, uid } })],
        target,
        action: { action: "promote-full" },
      })?.id;
    expect(own("1")).toBe("1");
    expect(own("2")).toBeUndefined();
  });

  it("takes the approved one of two", () => {
    expect(find(approval({ id: "2", state: "pending" }), approval())).toBe("1");
  });
});

describe("assessAsk", () => {
  it.each<
    [
      string,
      Needs,
      { state: Approval["state"] } | undefined,
      boolean,
      ReturnType<typeof assessAsk>["kind"],
      boolean,
      boolean,
    ]
  >([
    ["nothing in the way", free, undefined, false, "act", false, false],
    ["a reason", { ...free, reason: true }, undefined, false, "act", true, false],
    ["frozen, glass whole", frozen, undefined, false, "act", true, true],
    ["frozen, glass broken", frozen, undefined, true, "act", true, false],
    ["waiting for its set", waiting, undefined, false, "act", true, true],
    ["ahead of its set", waiting, undefined, true, "act", true, false],
    ["two people, nothing asked", two, undefined, false, "request", true, false],
    ["two people, asked", two, { state: "pending" }, false, "request", true, true],
    ["two people, approved", two, { state: "approved" }, false, "act", false, false],
    [
      "two people, approved, frozen",
      { ...two, ...frozen, secondPerson: two.secondPerson },
      { state: "approved" },
      false,
      "act",
      true,
      true,
    ],
  ])("%s", (_name, needs, given, breaksGlass, kind, reasonRequired, isHeld) => {
    const ask = assessAsk({ action: { needs }, approval: given, breaksGlass });
    expect(ask).toMatchObject({ kind, reasonRequired });
    expect(ask.obstacle !== undefined).toBe(isHeld);
  });
});

describe("describeGuard", () => {
  const one = { name: "oncall", username: "oncall", at: "2026-11-20T10:00:00.000Z", reason: null, counts: true };
  it.each<[Needs, Partial<Approval> | undefined, string | undefined]>([
    [free, undefined, undefined],
    [frozen, undefined, "frozen"],
    [waiting, undefined, "waits for its set"],
    [two, undefined, "needs approval"],
    [two, { state: "pending" }, "approval requested"],
    [
      two,
      { rules: [{ name: "four eyes", approvers: 2, groups: [], approved: 1 }], approvals: [one] },
      "1 of 2 approved",
    ],
    [two, { approvals: [{ ...one, counts: false }] }, "approval requested"],
    [two, { state: "approved" }, "approved"],
    [{ ...frozen, secondPerson: two.secondPerson }, undefined, "frozen, needs approval"],
  ])("%j %j: %s", (needs, given, words) => {
    expect(describeGuard({ needs, allowed: true }, given && { ...sampleApproval, ...given })).toBe(words);
  });

  it.each([
    ["frozen", "frozen"],
    ["nothing_to_do", undefined],
  ])("off for %s: %s", (reasonCode, words) => {
    expect(describeGuard({ needs: frozen, allowed: false, reasonCode }, undefined)).toBe(words);
  });
});

const sentence = (change: Partial<Approval>) => {
  const { who, asks, target, detail } = describeAsk({ ...sampleApproval, ...change });
  return `${who} ${asks} ${target}${detail}`;
};

describe("describeAsk", () => {
  it.each<[Partial<Approval>, string]>([
    [{}, "oncall asks to fully promote payments/checkout"],
    [
      { requestedBy: "Release Bot", requestedByUsername: "guest" },
      "Release Bot (guest) asks to fully promote payments/checkout",
    ],
    [{ requestedByUsername: null }, "oncall asks to fully promote payments/checkout"],
    [{ own: true }, "You ask to fully promote payments/checkout"],
    [{ agent: { name: "bot" } }, "Agent bot, for oncall, proposes to fully promote payments/checkout"],
    [{ action: "undo", params: { toRevision: 0 } }, "oncall asks to roll back payments/checkout (to revision 0)"],
    [
      { action: "set-image", params: { container: "app", image: "app:v2" } },
      "oncall asks to set an image of payments/checkout (app = app:v2)",
    ],
    [
      { action: "accept-step", passesPauses: [3, 5] },
      "oncall asks to accept the step's result and continue payments/checkout (may pass step 4 and 6)",
    ],
    [
      { action: "terminate", subject: { kind: "AnalysisRun", name: "checkout-2", uid: "u" } },
      "oncall asks to terminate run checkout-2 of payments/checkout",
    ],
    [
      { action: "retry", subject: { kind: "Experiment", name: "ranking-1", uid: "u" } },
      "oncall asks to retry experiment ranking-1 of payments/checkout",
    ],
  ])("%j", (change, expected) => {
    expect(sentence(change)).toBe(expected);
  });
});

describe("explainNotApprovable", () => {
  it("allows what was asked for in the state that is there now, and nothing else", () => {
    const rollout = { viewDigest: "d", allowedActions: [] };
    expect(explainNotApprovable(sampleApproval, rollout)).toBeUndefined();
    expect(explainNotApprovable(sampleApproval, { ...rollout, viewDigest: "e" })).toMatch(/has changed/);
    expect(explainNotApprovable(sampleApproval, undefined)).toMatch(/no longer recorded/);
  });
});

describe("explainNotAcceptable", () => {
  it.each<{ name: string; action: Parameters<typeof explainNotAcceptable>[0]; says: string | undefined }>([
    { name: "an allowed action", action: { allowed: true, needs: free }, says: undefined },
    { name: "one that is not allowed", action: { allowed: false, reason: "No pods.", needs: free }, says: "No pods." },
    { name: "one in a freeze", action: { allowed: true, needs: frozen }, says: "Blocked until the freeze ends" },
    { name: "one that its set holds", action: { allowed: true, needs: waiting }, says: "Blocked until the set has" },
    { name: "one for two people", action: { allowed: true, needs: two }, says: "the approval of another person" },
  ])("says why $name cannot be accepted: $says", ({ action, says }) => {
    const found = explainNotAcceptable(action);
    expect(found).toEqual(says === undefined ? undefined : expect.stringContaining(says));
  });
});
