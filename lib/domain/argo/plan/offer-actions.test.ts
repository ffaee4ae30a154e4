import { describe, expect, it } from "vitest";
import { type ActionGate, judgeActions, type Permit } from "#lib/domain/acting/judge-actions.ts";
import type { RolloutObject } from "#lib/domain/argo/objects/rollout-object.ts";
import { offerActions } from "#lib/domain/argo/plan/offer-actions.ts";
import { background, passedWarning, pause, rolloutAt, stepRun } from "#lib/domain/argo/plan/testing/plan-samples.ts";
import type { Offering } from "#lib/domain/delivery/acting.ts";
import { nothingRelated, type RelatedState } from "#lib/domain/delivery/related-state.ts";
import type { FreezeWindow } from "#lib/domain/policy/freeze.ts";
import { everywhere, type Role } from "#lib/domain/policy/rights.ts";

const freeze: FreezeWindow = {
  name: "year's end",
  scope: everywhere,
  start: "0 0 20 12 *",
  timeZone: "UTC",
  durationMinutes: 20 * 24 * 60,
  actions: ["*"],
  includeProtective: false,
};

function permitOf(
  role: Role,
  { freezes = [], breakGlass = false }: { freezes?: FreezeWindow[]; breakGlass?: boolean } = {},
): Permit {
  return {
    rights: { grants: [{ role, scope: everywhere, actions: ["*"], breakGlass }], cap: "admin" },
    policies: { reasons: [], freezes, secondPerson: [] },
    target: { cluster: "prod-eu", namespace: "payments", kind: "Rollout", name: "checkout" },
    now: new Date("2026-12-24T12:00:00Z"),
  };
}

type Given = Omit<Offering, "related"> &
  ActionGate & { rollout: RolloutObject } & Partial<Pick<RelatedState, "replicaSets">>;

/** Lists actions like the page of a rollout. */
function listAllowedActions({ rollout, images, replicaSets, ...gate }: Omit<Given, "now">) {
  const related = { ...nothingRelated, replicaSets };
  return judgeActions(offerActions(rollout, { now: gate.permit.now, images, related }), gate);
}

describe("the offers of a Rollout, judged", () => {
  const rollout = rolloutAt({ name: "", status: { ...pause("CanaryPauseStep"), currentStepIndex: 1 } });
  const gate = { rollout, permit: permitOf("operator"), access: "act", source: { fresh: true } } as const;
  const allowed = (extra: Partial<Parameters<typeof listAllowedActions>[0]>) =>
    Object.fromEntries(
      listAllowedActions({ ...gate, ...extra }).map(({ action, allowed, reasonCode }) => [
        action,
        allowed || reasonCode,
      ]),
    );

  it.each([
    { name: "operator", extra: {}, continue: true, abort: true },
    { name: "admin", extra: { permit: permitOf("admin") }, continue: true, abort: true },
    { name: "viewer", extra: { permit: permitOf("viewer") }, continue: "forbidden", abort: "forbidden" },
    { name: "read-only cluster", extra: { access: "read" }, continue: "read_only", abort: "read_only" },
    { name: "stale source", extra: { source: { fresh: false } }, continue: "source_stale", abort: true },
    { name: "freeze", extra: { permit: permitOf("operator", { freezes: [freeze] }) }, continue: "frozen", abort: true },
    {
      name: "freeze that may be broken",
      extra: { permit: permitOf("operator", { freezes: [freeze], breakGlass: true }) },
      continue: true,
      abort: true,
    },
    { name: "broken config", extra: { configError: true }, continue: "config_error", abort: true },
    {
      name: "unresolved action",
      extra: { unresolvedAction: { lastHeard: "" } },
      continue: "unresolved_action",
      // A storm with a lost answer in it is exactly when an abort is needed.
      abort: true,
    },
    {
      name: "blocked",
      extra: { blocked: { reasonCode: "wrong_cluster", reason: "no" } },
      continue: "wrong_cluster",
      abort: "wrong_cluster",
    },
  ] as const)("$name", ({ extra, continue: forContinue, abort }) => {
    expect(allowed(extra)).toMatchObject({ continue: forContinue, abort, retry: expect.any(String) });
  });

  it("asks for unpause too where the pause in the spec is lifted with it, and says so before the click", () => {
    const held = rolloutAt({
      name: "",
      paused: true,
      status: { ...pause("CanaryPauseStep"), currentStepIndex: 1 },
    });
    const permit = permitOf("operator");
    const without = {
      grants: permit.rights.grants.map((grant) => ({ ...grant, actions: ["continue", "abort"] })),
      cap: "admin",
    } as const;
    const only = { scope: everywhere, actions: ["unpause"] };
    const continueOf = (change: Partial<Permit>, of = held) =>
      listAllowedActions({ ...gate, rollout: of, permit: { ...permit, ...change } }).find(
        ({ action }) => action === "continue",
      );
    expect(continueOf({ rights: without })).toMatchObject({
      allowed: false,
      reasonCode: "forbidden",
      reason: "Your rights do not include unpause on payments/checkout, which continue would also do.",
    });
    const frozen = { reasons: [], freezes: [{ ...freeze, ...only }], secondPerson: [] };
    expect(continueOf({ policies: frozen })).toMatchObject({ allowed: false, reasonCode: "frozen" });
    const rule = {
      ...{ ...only, name: "two", includeProtective: false, robotsMayAsk: false, expireMinutes: 60 },
      ...{ approvers: 2, groups: ["sre"] },
    };
    const two = { reasons: [], freezes: [], secondPerson: [rule] };
    expect(continueOf({ policies: two })?.needs.secondPerson).toEqual({
      ...{ rule: "two", expireMinutes: 60, because: 'Rule "two" requires 2 other people from sre.' },
    });
    for (const change of [{ rights: without }, { policies: frozen }])
      expect(continueOf(change, rollout)).toMatchObject({ allowed: true });
    expect(continueOf({ policies: two }, rollout)?.needs.secondPerson).toBe(null);
  });

  it("gives effect, patch and command also to whom the button is denied", () => {
    const [first] = listAllowedActions({ ...gate, permit: permitOf("viewer") });
    expect(first).toMatchObject({
      action: "continue",
      allowed: false,
      effect:
        "Clears the pause: the rollout continues at step 3 of 6 (analysis). Then 60 % → wait 10 min → a step of an unknown kind → 100 %, no further analysis.",
      kubectl: expect.stringContaining("--subresource=status"),
    });
  });
});

describe("an action that may let the controller pass a pause", () => {
  const rollout = rolloutAt({
    name: "both, and a gate behind a timed pause",
    steps: [{ analysis: {} }, { pause: { duration: "10s" } }, { pause: {} }],
    status: {
      ...pause("InconclusiveAnalysisRun"),
      currentStepIndex: 0,
      canary: { ...stepRun("Inconclusive"), ...background("Inconclusive") },
    },
  });
  const gate = { rollout, access: "act", source: { fresh: true } } as const;
  const accept = (permit: Permit) =>
    listAllowedActions({ ...gate, permit }).find(({ action }) => action === "accept-step");
  const grantOf = (actions: string[]): Permit => {
    const permit = permitOf("operator");
    return {
      ...permit,
      rights: { ...permit.rights, grants: permit.rights.grants.map((one) => ({ ...one, actions })) },
    };
  };

  it("names its step on the button and in a warning", () => {
    expect(accept(permitOf("operator"))).toMatchObject({
      allowed: true,
      label: "Accept and continue (may pass step 3)",
      warnings: [passedWarning("step 3 of 3 (a pause until someone continues)")],
    });
  });

  it.each([
    { actions: ["accept-step"], allowed: false },
    { actions: ["accept-step", "skip-step"], allowed: true },
  ])("asks for the right to skip a step: $actions", ({ actions, allowed }) => {
    expect(accept(grantOf(actions))?.allowed).toBe(allowed);
  });

  it("asks for the second person of a skip", () => {
    const policies = {
      reasons: [],
      freezes: [],
      secondPerson: [
        {
          name: "two",
          scope: everywhere,
          actions: ["skip-step"],
          expireMinutes: 60,
          robotsMayAsk: false,
          includeProtective: false,
          ...{ approvers: 1, groups: [] },
        },
      ],
    };
    expect(accept({ ...permitOf("operator"), policies })?.needs.secondPerson).toMatchObject({ rule: "two" });
  });
});

it("says before the click that measuring an experiment again replaces an Inconclusive background run too", () => {
  const actions = listAllowedActions({
    permit: permitOf("operator"),
    access: "act",
    source: { fresh: true },
    rollout: rolloutAt({
      name: "both",
      steps: [{ experiment: {} }, { setWeight: 20 }],
      status: {
        ...pause("InconclusiveExperiment", "InconclusiveAnalysisRun"),
        currentStepIndex: 0,
        canary: { currentExperiment: "e-1", ...background("Inconclusive") },
      },
    }),
  });
  expect(actions.find(({ action }) => action === "measure-again")).toMatchObject({
    allowed: true,
    effect: expect.stringContaining("a new background run replaces bg-1"),
  });
});

describe("undo and set-image, as they are offered from what is recorded", () => {
  const rollout = rolloutAt({ name: "", status: { ...pause("CanaryPauseStep"), currentStepIndex: 1 } });
  const gate = { rollout, permit: permitOf("operator"), access: "act", source: { fresh: true } } as const;
  const { currentPodHash, stableRS } = rollout.status;
  const pods = { name: "", replicas: 0, ready: 0, available: 0, desired: 0 };
  const replicaSets = [
    { ...pods, revision: 1, podHash: stableRS, images: ["shop/app:1"] },
    { ...pods, revision: 2, podHash: currentPodHash, images: ["shop/app:2"] },
    { ...pods, revision: undefined, podHash: "x", images: [] },
  ];
  const offered = (name: string, extra: Partial<Parameters<typeof listAllowedActions>[0]> = {}) =>
    listAllowedActions({ ...gate, replicaSets, ...extra }).find(({ action }) => action === name);

  it("offers the revisions that are left, newest first, with the command and no patch", () => {
    const undo = offered("undo");
    expect(undo).toMatchObject({
      allowed: true,
      kubectl: expect.stringMatching(/^kubectl argo rollouts undo .* --to-revision=1$/),
      revisions: [
        { revision: 2, current: true, stable: false },
        { revision: 1, current: false, stable: true, images: ["shop/app:1"] },
      ],
    });
    expect(undo).not.toHaveProperty("patches");
  });

  it.each([
    { name: "only the current revision is left", extra: { replicaSets: replicaSets.slice(1, 2) }, code: "no_revision" },
    { name: "nobody has read them", extra: { replicaSets: undefined }, code: "not_read" },
    { name: "the source is stale", extra: { source: { fresh: false } }, code: "source_stale" },
  ])("does not offer undo where $name", ({ extra, code }) => {
    expect(offered("undo", extra)).toMatchObject({ allowed: false, reasonCode: code });
  });

  it("offers set-image with a command to be filled in", () => {
    expect(offered("set-image")).toMatchObject({
      allowed: true,
      kubectl: expect.stringContaining("CONTAINER=IMAGE"),
      containers: expect.any(Array),
    });
  });
});
