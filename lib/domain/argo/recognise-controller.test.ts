import { describe, expect, it } from "vitest";
import { observationsOf, rolloutsOf } from "#test/real-observations.ts";
import { readRealStream, realStreams } from "#test/real-streams.ts";
import { isController, knownControllerManagers } from "./recognise-controller.ts";

type Kind = "Rollout" | "AnalysisRun" | "Experiment";
const fields = (...names: string[]) => Object.fromEntries(names.map((name) => [`f:${name}`, {}]));
const entry = (manager: string, fieldsV1: unknown) => ({ manager, operation: "Update", fieldsV1 });
const status = (...names: string[]) => ({ "f:status": fields(...names) });
const own = ["observedGeneration", "conditions", "currentPodHash"];

type Case = { name: string; manager: string; kind?: Kind; managedFields?: unknown; managers?: string[]; is: boolean };
const cases: Case[] = [
  { name: "by its known name, whatever it wrote", manager: "rollouts-controller", is: true },
  { name: "by another name that it is shipped with", manager: "argo-rollouts", is: true },
  { name: "by the config", manager: "acme-rollouts", managers: ["acme-rollouts"], is: true },
  { name: "not by a known name that the config does not list", manager: "argo-rollouts", managers: ["x"], is: false },
  { name: "by what it wrote", manager: "build-7", managedFields: [entry("build-7", status(...own))], is: true },
  {
    name: "right after it took over: only what it has written since",
    manager: "build-8",
    managedFields: [entry("build-7", status(...own)), entry("build-8", status("conditions", "phase"))],
    is: true,
  },
  {
    name: "not a person who repairs one field",
    manager: "fixer",
    managedFields: [entry("fixer", status("currentPodHash"))],
    is: false,
  },
  {
    name: "not a client that writes what commands write",
    manager: "ci",
    managedFields: [
      entry("ci", status("abort", "promoteFull", "pauseConditions", "controllerPause", "currentStepIndex")),
    ],
    is: false,
  },
  {
    name: "not another manager than the one that holds them",
    manager: "ci",
    managedFields: [entry("build-7", status(...own)), entry("ci", status("currentStepIndex"))],
    is: false,
  },
  ...["kubectl", "kubectl-edit", "kubectl-argo-rollouts", "gatehouse"].map((manager) => ({
    name: `never ${manager}`,
    manager,
    managedFields: [entry(manager, status(...own))],
    is: false,
  })),
  {
    name: "not who writes spec and status in one",
    manager: "restore",
    managedFields: [entry("restore", { ...status(...own), "f:spec": fields("template") })],
    is: false,
  },
  {
    name: "of a run, which has no status subresource",
    kind: "AnalysisRun",
    manager: "build-7",
    managedFields: [entry("build-7", { ...status("phase", "metricResults"), "f:spec": fields("metrics") })],
    is: true,
  },
  {
    name: "of an experiment",
    kind: "Experiment",
    manager: "build-7",
    managedFields: [entry("build-7", status("phase", "templateStatuses"))],
    is: true,
  },
  ...[undefined, null, "x", [null], [{ manager: "build-7" }], [entry("build-7", { "f:status": 3 })]].map(
    (managedFields) => ({
      name: `not by evidence that is none: ${JSON.stringify(managedFields)}`,
      manager: "build-7",
      managedFields,
      is: false,
    }),
  ),
];

describe("isController", () => {
  it.each(cases)(
    "$name",
    ({ manager, kind = "Rollout", managedFields, managers = [...knownControllerManagers], is }) => {
      expect(isController(manager, { kind, managedFields, managers })).toBe(is);
    },
  );

  it.each(realStreams)("recognises the real one in %s, and nobody else", (stream) => {
    const found = new Map<string, Set<boolean>>();
    for (const { object } of readRealStream(stream)) {
      const { kind } = object;
      if (kind !== "Rollout" && kind !== "AnalysisRun" && kind !== "Experiment") continue;
      const { managedFields = [] } = object.metadata;
      for (const { manager } of managedFields as { manager: string }[])
        found.set(
          manager,
          (found.get(manager) ?? new Set()).add(isController(manager, { kind, managedFields, managers: [] })),
        );
    }
    for (const [manager, verdicts] of found)
      expect([manager, verdicts.has(true)]).toEqual([manager, manager.startsWith("rollouts-controller")]);
  });
});

describe("the writer of an observation", () => {
  it("is the controller under one name, although its binary has another", () => {
    const stream = "background-inconclusive/v193";
    const writers = rolloutsOf(stream).flatMap((name) => observationsOf(stream, name).map(({ writer }) => writer));
    expect(new Set(writers)).toEqual(
      // Its first write, of annotations and defaults, precedes any status.
      new Set([
        "kubectl-client-side-apply",
        "kubectl-patch",
        "rollouts-controller-193",
        "rollouts-controller",
        "gatehouse",
        null,
      ]),
    );
  });
});
