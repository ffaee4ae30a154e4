import { describe, expect, it } from "vitest";
import { type Attempt, decide, findNeeds } from "./decide.ts";
import { everywhere, type Rights } from "./rights.ts";

const now = new Date("2026-11-21T12:00:00Z");
const barrier = { set: "checkout", because: 'Set "checkout" passes its pauses together.' };
const freeze = {
  ...{ id: "f", name: "incident", scope: everywhere, actions: ["*"], includeProtective: false },
  ...{ from: new Date("2026-11-21T11:00:00Z"), until: new Date("2026-11-21T13:00:00Z") },
};
const rights = (breakGlass: boolean): Rights => ({
  grants: [{ role: "operator", scope: everywhere, actions: ["*"], breakGlass }],
  cap: "operator",
});
const question = {
  action: { name: "continue", protective: false, reasonRequired: false },
  target: { cluster: "prod-eu", namespace: "payments", kind: "Rollout", name: "checkout" },
  now,
  barrier,
};
const attempt: Attempt = {
  ...{
    actorKey: "issuer|oncall",
    isRobot: false,
    request: "continue",
    rolloutId: "r-1",
    uid: "u-1",
    viewDigest: "d-1",
  },
  ...{ passesPauses: [], targetVersion: undefined, reason: "because", breakGlass: false, approval: undefined },
  authenticatedAt: new Date(now.getTime() - 60_000),
};

describe("an action ahead of its set", () => {
  const policies = { reasons: [], freezes: [], secondPerson: [] };
  const old = new Date(now.getTime() - 301_000);

  it.each<[string, boolean, Partial<Attempt>, string]>([
    ["without break-glass", true, {}, "barrier"],
    ["break-glass without the right", false, { breakGlass: true }, "barrier"],
    ["break-glass by a token", true, { breakGlass: true, authenticatedAt: null }, "barrier"],
    ["break-glass after an old sign-in", true, { breakGlass: true, authenticatedAt: old }, "reauthentication_required"],
    ["break-glass without a reason", true, { breakGlass: true, reason: "" }, "reason_required"],
    ["break-glass", true, { breakGlass: true }, "allowed"],
  ])("%s", (_name, mayBreak, change, expected) => {
    const decision = decide({ ...question, policies, rights: rights(mayBreak), attempt: { ...attempt, ...change } });
    expect(decision.allowed ? "allowed" : decision.code).toBe(expected);
  });

  it("in a freeze is refused for both, and the freeze gives the code", () => {
    const frozen = { ...policies, freezes: [freeze] };
    const asked = { ...question, policies: frozen, rights: rights(true) };
    expect(decide({ ...asked, attempt })).toMatchObject({
      code: "frozen",
      reason: expect.stringMatching(/^Frozen by "incident" until \S+\. Set "checkout" passes its pauses together\.$/),
    });
    expect(findNeeds(asked)).toMatchObject({ freeze: { name: "incident" }, barrier, breakGlass: true });
  });

  it("is overridden only with what the person saw", () => {
    const named = { ...freeze, id: "g", name: "other" };
    const asked = { ...question, policies: { ...policies, freezes: [freeze, named] }, rights: rights(true) };
    const { blocks = [] } = findNeeds(asked);
    expect(blocks).toEqual([
      { kind: "freeze", name: "incident", id: "f" },
      { kind: "freeze", name: "other", id: "g" },
      { kind: "set", name: "checkout" },
    ]);
    const breaking = (seenBlocks: Attempt["seenBlocks"]) =>
      decide({ ...asked, attempt: { ...attempt, breakGlass: true, seenBlocks } });
    expect(breaking(blocks).allowed).toBe(true);
    expect(breaking([...blocks, { kind: "freeze", name: "over" }]).allowed).toBe(true);
    expect(breaking(undefined).allowed).toBe(true);
    // A freeze of the same name is another one.
    expect(breaking([{ kind: "freeze", name: "incident", id: "g" }])).toMatchObject({
      code: "frozen",
      reason:
        'Break-glass overrides only what you saw. Since you looked: freeze "incident" and set "checkout". Look again.',
    });
    expect(breaking([])).toMatchObject({ code: "frozen", reason: expect.stringContaining('freeze "other"') });
    const alone = { ...asked, policies };
    expect(decide({ ...alone, attempt: { ...attempt, breakGlass: true, seenBlocks: [] } })).toMatchObject({
      code: "barrier",
    });
  });

  it("is not held back without a barrier", () => {
    expect(findNeeds({ ...question, barrier: undefined, policies, rights: rights(true) })).toEqual({
      ...{ reason: false, secondPerson: null, freeze: null, breakGlass: false },
    });
  });
});
