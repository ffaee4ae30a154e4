import { describe, expect, it } from "vitest";
import { canaryOf } from "#lib/domain/flagger/view/testing/sample-canary.ts";
import {
  apexNameOf,
  intervalSecondsOf,
  iterationsOf,
  listHooks,
  primaryNameOf,
  progressDeadlineOf,
  recogniseHooksOf,
  skipsAnalysis,
  strategyOf,
  thresholdOf,
} from "./canary-spec.ts";
import { runKeyOf, stableKeyOf } from "./run-key.ts";

const targetRef = { apiVersion: "apps/v1", kind: "Deployment", name: "podinfo" };
const specOf = (analysis: object, rest: object = {}) => canaryOf({ spec: { targetRef, analysis, ...rest } });

describe("the interval", () => {
  it.each([
    ["1m", 60],
    ["30s", 30],
    ["1m30s", 90],
    ["10s", 10],
    ["5s", 10],
    ["500ms", 10],
    ["0", 10],
    ["", 60],
    ["soon", 60],
    [undefined, 60],
  ])("%s is %d seconds", (interval, seconds) => {
    expect(intervalSecondsOf(specOf({ interval }))).toBe(seconds);
  });
});

describe("the strategy", () => {
  const match = [{ headers: { "x-canary": { exact: "insider" } } }];
  it.each([
    { name: "weights", analysis: { stepWeight: 10 }, strategy: "Canary" },
    { name: "iterations", analysis: { iterations: 5 }, strategy: "BlueGreen" },
    { name: "iterations and match", analysis: { iterations: 5, match }, strategy: "ABTesting" },
    { name: "match alone", analysis: { stepWeight: 10, match }, strategy: "Canary" },
    { name: "an empty match", analysis: { iterations: 5, match: [] }, strategy: "BlueGreen" },
    {
      name: "no router drops match",
      analysis: { iterations: 5, match },
      provider: "kubernetes",
      strategy: "BlueGreen",
    },
    {
      name: "no router forces iterations",
      analysis: { stepWeight: 10 },
      provider: "kubernetes",
      strategy: "BlueGreen",
    },
    { name: "no router by default", analysis: { stepWeight: 10 }, meshProvider: "kubernetes", strategy: "BlueGreen" },
    {
      name: "its own router",
      analysis: { stepWeight: 10 },
      provider: "nginx",
      meshProvider: "kubernetes",
      strategy: "Canary",
    },
  ])("of $name is $strategy", ({ analysis, provider, meshProvider, strategy }) => {
    expect(strategyOf(specOf(analysis, { provider }), meshProvider)).toBe(strategy);
  });

  it("has 10 iterations without a router, unless the spec has some", () => {
    expect(iterationsOf(specOf({ stepWeight: 10 }, { provider: "kubernetes" }))).toBe(10);
    expect(iterationsOf(specOf({ iterations: 3 }, { provider: "kubernetes" }))).toBe(3);
    expect(iterationsOf(specOf({ stepWeight: 10 }))).toBe(0);
  });
});

describe("the rest of the spec", () => {
  it("names the primary after the target, and the apex after the service", () => {
    expect(primaryNameOf(specOf({}, { service: { name: "frontend" } }))).toBe("podinfo-primary");
    expect(apexNameOf(specOf({}, { service: { name: "frontend" } }))).toBe("frontend");
    expect(apexNameOf(specOf({}, { service: { port: 80 } }))).toBe("podinfo");
  });

  it("reads the deprecated canaryAnalysis, and skips an analysis that is missing", () => {
    const old = canaryOf({ spec: { targetRef, canaryAnalysis: { interval: "20s", threshold: 0 } } });
    expect([intervalSecondsOf(old), thresholdOf(old), skipsAnalysis(old)]).toEqual([20, 1, false]);
    expect(skipsAnalysis(canaryOf({ spec: { targetRef } }))).toBe(true);
  });

  it("waits 600 seconds for a workload, and takes 0 as it stands", () => {
    expect(progressDeadlineOf(specOf({}))).toBe(600);
    expect(progressDeadlineOf(specOf({}, { progressDeadlineSeconds: 0 }))).toBe(0);
  });
});

describe("the hooks", () => {
  it("are of type rollout without one, and keep unknown types", () => {
    const webhooks = [
      { name: "load", url: "http://load/" },
      { name: "new", type: "confirm-everything", url: "http://x/" },
    ];
    expect(listHooks(specOf({ webhooks })).map(({ type }) => type)).toEqual(["rollout", "confirm-everything"]);
  });

  it.each([
    ["http://gatehouse.ops/hooks/flagger/c1/rollback", true],
    ["https://user:secret@gatehouse/base/hooks/flagger/c1/rollback/gate-2?x=1", true],
    ["http://gatehouse/hooks/flagger/c1/rollback-all", false],
    ["http://gatehouse/hooks/flagger/c2/rollback", false],
    ["http://gatehouse/hooks/flagger/c1/confirm-rollout", false],
    ["http://loadtester/rollback/check", false],
    ["http://x/?url=/hooks/flagger/c1/rollback", false],
    ["not a url /hooks/flagger/c1/rollback", false],
  ])("%s is ours: %s", (url, isOurs) => {
    expect(recogniseHooksOf("c1")(url, "rollback")).toBe(isOurs);
  });
});

describe("the run key", () => {
  const keyOf = (status: object) => runKeyOf(canaryOf({ spec: { targetRef }, status: { ...status } }));
  it("is Flagger's hash, and changes with the tracked configs", () => {
    const [one, other] = ["aa", "bb"].map((digest) =>
      keyOf({ lastAppliedSpec: "h1", trackedConfigs: { "secret/a": digest } }),
    );
    expect(keyOf({ lastAppliedSpec: "h1", trackedConfigs: {} })).toBe("h1");
    expect(one).toMatch(/^h1-[0-9a-f]{12}$/);
    expect(other).not.toBe(one);
    expect(keyOf({ lastAppliedSpec: "" })).toBe("");
  });

  it("is the promoted one's after a success, and another one during a run for changed configs alone", () => {
    const status = { lastAppliedSpec: "h1", lastPromotedSpec: "h1", trackedConfigs: { "secret/a": "aa" } };
    const at = (phase: string) => canaryOf({ spec: { targetRef }, status: { ...status, phase } });
    expect(stableKeyOf(at("Succeeded"))).toBe(runKeyOf(at("Succeeded")));
    expect(stableKeyOf(at("Progressing"))).toBe("h1");
    expect(stableKeyOf(canaryOf({ spec: { targetRef } }))).toBe(null);
  });
});
