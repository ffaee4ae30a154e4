import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Analysis, intervalMsOf } from "./canary-types.ts";
import { createFlaggerWorld, followMessages, NAMESPACE, putCanary } from "./testing/flagger-world.ts";
import { ROUTES_ANNOTATION } from "./traffic-router.ts";

type PlanCase = {
  id: string;
  analysis: Analysis;
  expect: {
    canaryWeights: number[];
    metricCheckRounds: number;
    promotionPrimaryWeights: number[];
    effectiveIntervalSeconds: number;
  };
};

const FIXTURE = join(import.meta.dirname, "../../test/fixtures/conformance/flagger-cases.json");
const { analysisPlans } = JSON.parse(readFileSync(FIXTURE, "utf8")) as { analysisPlans: PlanCase[] };
const METRICS = [{ name: "request-success-rate", thresholdRange: { min: 99 } }];

function weightsIn(messages: readonly string[], pattern: RegExp): number[] {
  return messages.flatMap((message) => {
    const weight = pattern.exec(message)?.[1];
    return weight === undefined ? [] : [Number(weight)];
  });
}

describe("a run takes the steps of its plan", () => {
  it.each(analysisPlans)("$id: $analysis", async ({ analysis, expect: wanted }) => {
    const world = createFlaggerWorld();
    const messages = followMessages(world);
    let rounds = 0;
    world.answer = () => {
      rounds += 1;
      return { value: 99.9 };
    };
    const provider = analysis.mirror === true ? "istio" : "nginx";
    putCanary(world, { spec: { provider, analysis: { ...analysis, interval: "10s", metrics: METRICS } } });
    await world.advance(40_000);
    world.release("web:1.1.0");
    await world.advance(300_000);
    expect(world.canary().status).toMatchObject({ phase: "Succeeded", canaryWeight: 0, iterations: 0 });
    expect(weightsIn(messages, / canary weight (\d+)$/)).toEqual(wanted.canaryWeights);
    expect(rounds).toBe(wanted.metricCheckRounds);
    const primaryWeights = weightsIn(messages, / primary weight (\d+)$/);
    expect(primaryWeights.length > 0 ? primaryWeights : [100]).toEqual(wanted.promotionPrimaryWeights);
    const intended = { ...world.canary(), spec: { ...world.canary().spec, analysis } };
    expect(intervalMsOf(intended) / 1000).toBe(wanted.effectiveIntervalSeconds);
  });
});

describe("what is routed", () => {
  it("a canary's weight is on the second Ingress, and gone at the end", async () => {
    const world = createFlaggerWorld();
    putCanary(world, { spec: { analysis: { interval: "10s", threshold: 2, maxWeight: 40, stepWeight: 20 } } });
    const weights: string[] = [];
    world.store.subscribe(({ resource, object }) => {
      const weight = object.metadata.annotations?.["nginx.ingress.kubernetes.io/canary-weight"];
      if (resource === "ingresses" && weight !== undefined && weight !== weights.at(-1)) weights.push(weight);
    });
    await world.advance(40_000);
    world.release("web:1.1.0");
    await world.advance(120_000);
    expect(weights).toEqual(["0", "20", "40", "0"]);
    const ingress = world.store.get("ingresses", NAMESPACE, "app-canary");
    expect(ingress?.spec).toMatchObject({
      rules: [{ http: { paths: [{ backend: { service: { name: "app-canary" } } }] } }],
    });
    expect(ingress?.metadata.ownerReferences).toMatchObject([{ kind: "Canary", name: "app" }]);
  });

  it("an A/B test routes by header", async () => {
    const world = createFlaggerWorld();
    const match = [{ headers: { "x-canary": { exact: "insider" } } }];
    putCanary(world, { spec: { analysis: { interval: "10s", threshold: 2, iterations: 30, match } } });
    await world.advance(40_000);
    world.release("web:1.1.0");
    await world.advance(60_000);
    expect(world.store.get("ingresses", NAMESPACE, "app-canary")?.metadata.annotations).toMatchObject({
      "nginx.ingress.kubernetes.io/canary-by-header": "x-canary",
      "nginx.ingress.kubernetes.io/canary-by-header-value": "insider",
    });
    expect(world.canary().status).toMatchObject({ phase: "Progressing", canaryWeight: 0 });
    expect(world.canary().status.iterations).toBeGreaterThan(1);
  });

  it("blue-green sends all traffic to the canary before it promotes, and its status does not say so", async () => {
    const world = createFlaggerWorld();
    const messages = followMessages(world);
    const weights = new Set<number>();
    putCanary(world, { spec: { analysis: { interval: "10s", threshold: 2, iterations: 2 } } });
    world.store.subscribe(({ resource }) => {
      if (resource === "canaries") weights.add(world.canary().status.canaryWeight);
    });
    await world.advance(40_000);
    world.release("web:1.1.0");
    await world.advance(150_000);
    expect(messages.slice(-6)).toEqual([
      "Advance app.shop canary iteration 1/2",
      "Advance app.shop canary iteration 2/2",
      "Routing all traffic to canary",
      "Copying app.shop template spec to app-primary.shop",
      "Routing all traffic to primary",
      "Promotion completed! Scaling down app.shop",
    ]);
    expect([...weights]).toEqual([0]);
  });

  it("blue-green with mirroring mirrors until it switches", async () => {
    const world = createFlaggerWorld();
    const messages = followMessages(world);
    const routes: string[] = [];
    world.store.subscribe(({ resource, object }) => {
      const text = object.metadata.annotations?.[ROUTES_ANNOTATION];
      if (resource === "services" && text !== undefined && text !== routes.at(-1)) routes.push(text);
    });
    putCanary(world, {
      spec: { provider: "istio", analysis: { interval: "10s", threshold: 2, iterations: 2, mirror: true } },
    });
    await world.advance(40_000);
    world.release("web:1.1.0");
    await world.advance(150_000);
    expect(messages).toContain("Stop traffic mirroring and route all traffic to canary");
    expect(routes.map((text) => JSON.parse(text))).toEqual([
      { primary: 100, canary: 0, isMirrored: false },
      { primary: 100, canary: 0, isMirrored: true },
      { primary: 0, canary: 100, isMirrored: false },
      { primary: 100, canary: 0, isMirrored: false },
    ]);
  });

  it("without a router there are ten iterations, and the main Service selects the primary throughout", async () => {
    const world = createFlaggerWorld();
    const messages = followMessages(world);
    putCanary(world, {
      spec: { provider: "kubernetes", analysis: { interval: "10s", threshold: 2, maxWeight: 50, stepWeight: 10 } },
    });
    await world.advance(40_000);
    world.release("web:1.1.0");
    await world.advance(100_000);
    expect(messages).toContain("Progressive traffic is not supported when using the kubernetes provider");
    expect(messages).toContain("Setting canaryAnalysis.iterations: 10");
    expect(messages).toContain("Advance app.shop canary iteration 3/10");
    const selector = world.store.get("services", NAMESPACE, "app")?.spec?.selector;
    expect(selector).toEqual({ app: "app-primary" });
    await world.advance(100_000);
    expect(world.canary().status.phase).toBe("Succeeded");
  });
});
