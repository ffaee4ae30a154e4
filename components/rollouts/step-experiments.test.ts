import { describe, expect, it } from "vitest";
import { selectExperiments } from "#components/rollouts/step-experiments.tsx";
import type { ExperimentSummary } from "#lib/contract/experiment.ts";
import type { RolloutDetail } from "#lib/contract/rollout.ts";

type Steps = RolloutDetail["steps"];

const step = (kind: Steps[number]["kind"], state: Steps[number]["state"]): Steps[number] => ({
  index: 0,
  kind,
  text: kind,
  state,
  endsAt: null,
  pluginStatuses: [],
});

function experiment(name: string, phase: ExperimentSummary["phase"], minute: number, more: object = {}) {
  const at = `2026-11-20T12:${String(minute).padStart(2, "0")}:00.000Z`;
  const ended = phase === "Running" ? null : at;
  return {
    name,
    phase,
    createdAt: at,
    completedAt: ended,
    podHash: "new",
    presence: "live",
    ...more,
  } as ExperimentSummary;
}

const atExperiment = { steps: [step("experiment", "current")], revisionKey: "new", aborted: false };
const elsewhere = { ...atExperiment, steps: [step("experiment", "done"), step("pause", "current")] };

describe("selectExperiments", () => {
  it.each([
    {
      name: "what asks for a person stands before what runs",
      rollout: atExperiment,
      experiments: [experiment("second", "Running", 5), experiment("first", "Inconclusive", 1)],
      shown: ["first", "second"],
    },
    {
      name: "the newest of a kind first",
      rollout: atExperiment,
      experiments: [experiment("old", "Successful", 1), experiment("new", "Successful", 5)],
      shown: ["new", "old"],
    },
    {
      name: "those of another revision do not matter",
      rollout: atExperiment,
      experiments: [experiment("other", "Failed", 1, { podHash: "old" })],
      shown: [],
    },
    {
      name: "at another step only those that still run",
      rollout: elsewhere,
      experiments: [experiment("runs", "Running", 2), experiment("done", "Successful", 1)],
      shown: ["runs"],
    },
    {
      name: "at another step not those that are gone",
      rollout: elsewhere,
      experiments: [experiment("lost", "Running", 2, { presence: "unobserved" })],
      shown: [],
    },
    {
      name: "after an abort those that did not go well",
      rollout: { ...elsewhere, aborted: true },
      experiments: [experiment("bad", "Failed", 2), experiment("good", "Successful", 1)],
      shown: ["bad"],
    },
    {
      name: "never more than three",
      rollout: atExperiment,
      experiments: [1, 2, 3, 4, 5].map((minute) => experiment(String(minute), "Running", minute)),
      shown: ["5", "4", "3"],
    },
  ])("$name", ({ rollout, experiments, shown }) => {
    expect(selectExperiments(rollout, experiments).map(({ name }) => name)).toEqual(shown);
  });
});
