import { describe, expect, it } from "vitest";
import { listAllowedActions } from "#lib/domain/argo/list-allowed-actions.ts";
import { background, pause, rolloutAt } from "#lib/domain/argo/testing/plan-samples.ts";

describe("listAllowedActions", () => {
  const rollout = rolloutAt({ name: "", status: { ...pause("CanaryPauseStep"), currentStepIndex: 1 } });
  const gate = { rollout, role: "operator", access: "act", source: { fresh: true } } as const;
  const allowed = (extra: Partial<Parameters<typeof listAllowedActions>[0]>) =>
    Object.fromEntries(
      listAllowedActions({ ...gate, ...extra }).map(({ action, allowed, reasonCode }) => [
        action,
        allowed || reasonCode,
      ]),
    );

  it.each([
    { name: "operator", extra: {}, continue: true, abort: true },
    { name: "admin", extra: { role: "admin" }, continue: true, abort: true },
    { name: "viewer", extra: { role: "viewer" }, continue: "forbidden", abort: "forbidden" },
    { name: "read-only cluster", extra: { access: "read" }, continue: "read_only", abort: "read_only" },
    { name: "stale source", extra: { source: { fresh: false } }, continue: "source_stale", abort: true },
    { name: "broken config", extra: { configError: true }, continue: "config_error", abort: true },
    {
      name: "unresolved action",
      extra: { unresolvedAction: true },
      continue: "unresolved_action",
      abort: "unresolved_action",
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

  it("gives effect, patch and command also to whom the button is denied", () => {
    const [first] = listAllowedActions({ ...gate, role: "viewer" });
    expect(first).toMatchObject({
      action: "continue",
      allowed: false,
      effect: "Clears the pause: the rollout goes on from step 2 of 6, next: analysis.",
      kubectl: expect.stringContaining("--subresource=status"),
    });
  });
});

it("says before the click that measuring an experiment again replaces an Inconclusive background run too", () => {
  const actions = listAllowedActions({
    role: "operator",
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
