// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { AppRouterContext, type AppRouterInstance } from "next/dist/shared/lib/app-router-context.shared-runtime";
import { expect, it, onTestFinished, vi } from "vitest";
import { ExperimentAnalyses } from "#components/ui/experiment-parts.tsx";
import type { ExperimentAnalysis } from "#lib/contract/experiment.ts";
import { setUpReactRoot } from "#test/react-root.tsx";

const { render } = setUpReactRoot();

const startedAt = "2026-11-28T10:00:00.000Z";
const analysis = (name: string, measures: string | null): ExperimentAnalysis => ({
  ...{ name, measures, required: false, phase: "Failed", message: "" },
  template: { kind: "AnalysisTemplate", name: "rate" },
  run: { name: `exp-${name}`, uid: name },
});

function answer(uid: string) {
  return {
    ...{ uid, name: `exp-${uid}`, startedAt, completedAt: null, weights: [], marks: [], presence: "live" },
    ...{ verdict: `The verdict of ${uid}.`, phase: "Failed" },
    rollout: { id: "c/n/Rollout/a", cluster: "c", namespace: "n", kind: "Rollout", name: "a" },
    metrics: [
      {
        ...{
          name: "rate",
          phase: "Failed",
          dryRun: false,
          thresholds: [],
          gaps: [],
          unit: null,
          conditionsDrawn: true,
        },
        ...{ counters: { failed: 1 }, limits: { failureLimit: "0" }, explanation: `rate failed for ${uid}.` },
      },
    ],
  };
}

const measurement = {
  ...{ metric: "rate", seq: 1, phase: "Failed", value: "0.4", parsed: { kind: "number", number: 0.4 }, message: "" },
  ...{ startedAt, finishedAt: startedAt, superseded: false },
};

it("says why each of several analyses has its result, and links the logs of each", async () => {
  vi.stubGlobal("fetch", async (address: string) => {
    const [, uid = "", rest] = /\/analysis-runs\/([^/?]+)(\/measurements)?/.exec(address) ?? [];
    return Response.json(rest === undefined ? answer(uid) : { items: [measurement], nextCursor: null });
  });
  const errors = vi.spyOn(console, "error");
  onTestFinished(() => errors.mockRestore());
  const client = new QueryClient();
  const analyses = [analysis("errors", "candidate"), analysis("slow", "candidate"), analysis("other", "baseline")];
  await render(
    <AppRouterContext value={{} as AppRouterInstance}>
      <QueryClientProvider client={client}>
        <ExperimentAnalyses experiment={{ analyses, templates: [], cluster: "c", namespace: "n" }} />
      </QueryClientProvider>
    </AppRouterContext>,
  );
  // Loading a module and answers is not one step that `act` could wait for.
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", false);
  await expect.poll(() => document.querySelector("[data-compared]")).not.toBeNull();
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  const text = document.body.textContent ?? "";
  for (const uid of ["errors", "slow", "other"]) {
    expect(text).toContain(`The verdict of ${uid}.`);
    expect(text).toContain(`rate failed for ${uid}.`);
  }
  expect(text).toContain("candidate, errors");
  expect(text).toContain("candidate, slow");
  expect(document.querySelectorAll('a[href*="tab=logs"]').length).toBe(3);
  // React reports keys that are not unique.
  expect(errors).not.toHaveBeenCalled();
});
