import { describe, expect, it } from "vitest";
import { isWatchedEvent } from "#lib/domain/kube/event-object.ts";
import { apiVersionOfKind, pathOf, sourcesOf, watchedResources } from "./watched-resources.ts";

describe("sourcesOf", () => {
  it("has one source per kind where no namespaces are named", () => {
    const sources = sourcesOf({ name: "a" });
    expect(sources.map((source) => source.id)).toEqual(watchedResources.map(({ resource }) => `a/${resource}`));
    expect(new Set(sources.map((source) => source.id)).size).toBe(sources.length);
  });

  it("has one per kind and namespace, but a single one of what has no namespace", () => {
    const sources = sourcesOf({ name: "a", namespaces: ["shop", "pay"] });
    expect(sources.filter(({ kind }) => kind === "Rollout").map(({ id }) => id)).toEqual([
      "a/rollouts/shop",
      "a/rollouts/pay",
    ]);
    const shared = sources.filter(({ kind }) => kind === "ClusterAnalysisTemplate");
    expect(shared.map((source) => ({ id: source.id, path: pathOf(source) }))).toEqual([
      { id: "a/clusteranalysistemplates", path: "/apis/argoproj.io/v1alpha1/clusteranalysistemplates" },
    ]);
  });

  it.each([
    {
      name: "the names that controllers are shipped with",
      expected: ["rollouts-controller", "argo-rollouts", "flagger"],
    },
    { name: "those of the config", controllers: { managers: ["acme"] }, expected: ["acme"] },
  ])("knows the controller by $name", ({ controllers, expected }) => {
    const sources = sourcesOf({ name: "a", ...(controllers !== undefined && { controllers }) });
    expect(new Set(sources.map(({ controllerManagers }) => controllerManagers.join()))).toEqual(
      new Set([expected.join()]),
    );
  });

  it("holds the disappearance of rollouts and templates, and of nothing that goes by design", () => {
    const held = watchedResources.filter(({ holdsDisappearance }) => holdsDisappearance).map(({ kind }) => kind);
    expect(held).toEqual(["Rollout", "AnalysisTemplate", "ClusterAnalysisTemplate", "Canary", "MetricTemplate"]);
  });
});

describe("pathOf", () => {
  it.each([
    ["pods", "/api/v1/namespaces/shop/pods"],
    ["events", "/api/v1/namespaces/shop/events"],
    ["deployments", "/apis/apps/v1/namespaces/shop/deployments"],
  ])("%s: %s", (resource, path) => {
    const source = sourcesOf({ name: "a", namespaces: ["shop"] }).find((each) => each.resource === resource);
    expect(source === undefined ? undefined : pathOf(source)).toBe(path);
  });
});

describe("isWatchedEvent", () => {
  it.each([
    ["argoproj.io/v1alpha1", "Rollout", true],
    ["argoproj.io/v1alpha1", "Experiment", true],
    ["kubeflow.org/v1", "Experiment", false],
    ["argoproj.io/v1alpha1", "Workflow", false],
    ["apps/v1", "ReplicaSet", true],
    ["apps/v1", "StatefulSet", false],
    ["v1", "Pod", true],
    ["", "Pod", true],
    ["v1", "Node", false],
  ])("%s %s: %s", (apiVersion, kind, expected) => {
    const involved = { apiVersion, kind, namespace: "shop", name: "a", uid: "u" };
    expect(isWatchedEvent({ involved }, apiVersionOfKind)).toBe(expected);
  });
});
