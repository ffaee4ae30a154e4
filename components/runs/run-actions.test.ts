import { expect, it } from "vitest";
import { describeTraffic, isAnswerable } from "#components/runs/run-actions.tsx";
import type { AnalysisPhase } from "#lib/contract/common.ts";
import type { RolloutDetail } from "#lib/contract/rollout.ts";

type Rollout = Parameters<typeof isAnswerable>[1];

const attention = { reason: "inconclusive", since: "2026-11-20T10:00:00Z", severity: "warning" } as const;
const current = (phase: AnalysisPhase): Pick<Rollout, "currentRuns"> => ({
  currentRuns: [{ role: "step", name: "r", uid: "u", phase, message: "" }],
});
const finding = { ...attention, reason: "finding" } as const;
const released = (decided: boolean, contradiction = false): Pick<Rollout, "releaseRuns"> => ({
  releaseRuns: [
    {
      ...{ uid: "u", name: "r", type: "Step", stepIndex: 0, phase: "Inconclusive", message: "" },
      ...{ startedAt: null, completedAt: null, decided, contradiction },
    },
  ],
});

it.each<{ name: string; rollout: Partial<Rollout>; answer: boolean }>([
  { name: "a run that is being measured", rollout: current("Running"), answer: true },
  { name: "a run that begins", rollout: current("Pending"), answer: true },
  { name: "the run that the rollout waits over", rollout: { ...released(true), attention }, answer: true },
  { name: "the current run of a rollout that waits", rollout: { ...current("Inconclusive"), attention }, answer: true },
  { name: "a run that passed, while nothing waits", rollout: current("Successful"), answer: false },
  { name: "the run that decided a finished release", rollout: released(true), answer: false },
  { name: "another run of the release", rollout: { ...released(false), attention }, answer: false },
  {
    name: "a contradicted run, over a finding",
    rollout: { ...released(false, true), attention: finding },
    answer: true,
  },
  { name: "a contradicted run, over a pause", rollout: { ...released(false, true), attention }, answer: false },
  { name: "a run of the past", rollout: { attention }, answer: false },
  { name: "a rollout that is gone", rollout: { ...current("Running"), presence: "deleted" }, answer: false },
])("$name: $answer", ({ rollout, answer }) => {
  const none: Rollout = { presence: "live", attention: null, currentRuns: [], releaseRuns: [] };
  expect(isAnswerable("u", { ...none, ...rollout })).toBe(answer);
});

type Step = RolloutDetail["steps"][number];

it.each<{
  name: string;
  actual: number | null;
  stable?: string | null;
  step?: readonly [Step["kind"], Step["state"]];
  aborted?: boolean;
  words: string | undefined;
}>([
  { name: "a live version", actual: 100, words: "b serves all traffic." },
  { name: "an aborted version", actual: 0, words: "a serves all traffic." },
  { name: "a shared weight", actual: 40, words: undefined },
  { name: "an unknown weight", actual: null, words: undefined },
  { name: "no traffic on a first version", actual: 0, stable: null, words: undefined },
  { name: "a header's requests", actual: 0, step: ["setHeaderRoute", "done"], words: undefined },
  { name: "an experiment", actual: 0, step: ["experiment", "current"], words: undefined },
  { name: "a header later", actual: 0, step: ["setHeaderRoute", "pending"], words: "a serves all traffic." },
  { name: "a header before", actual: 100, step: ["setHeaderRoute", "done"], words: "b serves all traffic." },
  {
    name: "a header before an abort",
    actual: 0,
    step: ["setHeaderRoute", "done"],
    aborted: true,
    words: "a serves all traffic.",
  },
  {
    name: "a header of a promoted version",
    actual: 0,
    stable: "b",
    step: ["setHeaderRoute", "done"],
    words: "b serves all traffic.",
  },
])("says which version serves all traffic: $name", ({ actual, stable = "a", step, aborted = false, words }) => {
  const [kind, state] = step ?? (["setWeight", "done"] as const);
  const steps = [{ index: 0, kind, state, text: "", endsAt: null, pluginStatuses: [] }];
  const versions = { replicaSets: [], images: [], revisionKey: "b", stableRevisionKey: stable, steps, aborted };
  expect(describeTraffic({ ...versions, weight: { set: actual, actual } as RolloutDetail["weight"] })).toBe(words);
});
