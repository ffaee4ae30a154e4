import { describe, expect, it } from "vitest";
import type { MetricAnswer } from "#sandbox/controllers/metric-provider.ts";
import { PRIMARY_POD_START_ANNOTATION } from "#sandbox/controllers/reconcile-deployment.ts";
import type { Metric } from "./canary-types.ts";
import {
  createFlaggerWorld,
  type FlaggerWorld,
  followMessages,
  NAMESPACE,
  putCanary,
} from "./testing/flagger-world.ts";

const ANALYSIS = { interval: "10s", threshold: 2, maxWeight: 60, stepWeight: 20 };

/** Brings a Canary to its first step. */
async function startRun(world: FlaggerWorld, options: Parameters<typeof putCanary>[1] = {}): Promise<void> {
  putCanary(world, { spec: { analysis: ANALYSIS }, ...options });
  await world.advance(40_000);
  world.release("web:1.1.0");
  await world.advance(20_000);
  expect(world.canary().status).toMatchObject({ phase: "Progressing", canaryWeight: 20 });
}

describe("a run", () => {
  it("starts anew when the target changes, with all traffic on the primary", async () => {
    const world = createFlaggerWorld();
    const messages = followMessages(world);
    await startRun(world);
    const first = world.canary().status.lastAppliedSpec;
    world.release("web:1.2.0");
    await world.advance(10_000);
    expect(messages.at(-1)).toBe("New revision detected! Restarting analysis for app.shop");
    const { phase, canaryWeight, lastAppliedSpec } = world.canary().status;
    expect({ phase, canaryWeight }).toEqual({ phase: "Progressing", canaryWeight: 0 });
    expect(lastAppliedSpec).not.toBe(first);
  });

  it("goes on when the target gets the promoted spec back, and then takes that for a new revision", async () => {
    const world = createFlaggerWorld();
    const messages = followMessages(world);
    await startRun(world);
    world.release("web:1.0.0");
    await world.advance(120_000);
    const decisive = messages.filter((message) => /^(New revision|Promotion completed)/.test(message));
    expect(decisive.slice(0, 3)).toEqual([
      "New revision detected! Scaling up app.shop",
      "Promotion completed! Scaling down app.shop",
      "New revision detected! Scaling up app.shop",
    ]);
  });

  it("stands still while the Canary is suspended, and says so each time", async () => {
    const world = createFlaggerWorld();
    await startRun(world);
    world.patchCanary({ suspend: true });
    const { resourceVersion } = world.canary().metadata;
    const messages = followMessages(world);
    await world.advance(40_000);
    expect(world.canary().metadata.resourceVersion).toBe(resourceVersion);
    expect(messages).toEqual(Array(4).fill("skipping canary run as object is suspended"));
    world.patchCanary({ suspend: false });
    await world.advance(20_000);
    expect(world.canary().status.canaryWeight).toBe(60);
  });

  it("ends at once when the analysis is skipped, without waiting for the primary", async () => {
    const world = createFlaggerWorld();
    const messages = followMessages(world);
    await startRun(world);
    world.patchCanary({ skipAnalysis: true });
    await world.advance(10_000);
    expect(messages.slice(-2)).toEqual([
      "Copying app.shop template spec to app-primary.shop",
      "Promotion completed! Canary analysis was skipped for app.shop",
    ]);
    expect(world.canary().status.phase).toBe("Succeeded");
    expect(world.deployment("app").spec?.replicas).toBe(0);
  });

  it("ends when the canary cannot become ready within the Canary's deadline", async () => {
    const world = createFlaggerWorld();
    const messages = followMessages(world);
    putCanary(world, { spec: { progressDeadlineSeconds: 30, analysis: ANALYSIS } });
    await world.advance(40_000);
    world.release("web:1.1.0", { "sandbox.gatehouse/pod-start": "never" });
    await world.advance(60_000);
    expect(messages.slice(-2)).toEqual([
      "canary deployment app.shop not ready: waiting for rollout to finish: 0 of 2 (readyThreshold 100%) updated replicas are available",
      "Canary failed! Scaling down app.shop",
    ]);
    expect(world.canary().status.phase).toBe("Failed");
  });

  it("starts for changed configs, and the primary gets a copy of them", async () => {
    const world = createFlaggerWorld();
    const config = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "settings", namespace: NAMESPACE } };
    world.store.create("configmaps", { ...config, data: { mode: "a" } }, { manager: "test" });
    const envFrom = [{ configMapRef: { name: "settings" } }];
    const containers = [{ name: "app", image: "web:1.0.0", envFrom }];
    const template = { metadata: { labels: { app: "app" } }, spec: { containers } };
    putCanary(world, { spec: { analysis: ANALYSIS }, deployment: { template } });
    await world.advance(40_000);
    // The first 16 hex digits of the SHA-256 of {"mode":"a"}.
    expect(world.canary().status.trackedConfigs).toEqual({ "configmap/settings": "77665b3ffc0e7da8" });
    expect(world.deployment("app-primary").spec).toMatchObject({
      template: { spec: { containers: [{ envFrom: [{ configMapRef: { name: "settings-primary" } }] }] } },
    });
    const stored = world.store.get("configmaps", NAMESPACE, "settings");
    world.store.update("configmaps", { ...stored, ...config, data: { mode: "b" } } as never, { manager: "test" });
    await world.advance(20_000);
    expect(world.canary().status.phase).toBe("Progressing");
    await world.advance(120_000);
    expect(world.store.get("configmaps", NAMESPACE, "settings-primary")?.data).toEqual({ mode: "b" });
  });
});

describe("a failed Canary", () => {
  it("is written again at each pass, with another time", async () => {
    const world = createFlaggerWorld();
    world.answer = () => ({ value: 0 });
    const metrics = [{ name: "request-success-rate", thresholdRange: { min: 99 } }];
    await startRun(world, { spec: { analysis: { ...ANALYSIS, metrics } } });
    await world.advance(40_000);
    const first = world.canary().status;
    expect(first).toMatchObject({ phase: "Failed", failedChecks: 0, canaryWeight: 0 });
    await world.advance(20_000);
    const { lastTransitionTime, conditions } = world.canary().status;
    expect(lastTransitionTime).not.toBe(first.lastTransitionTime);
    expect(conditions).toEqual(first.conditions);
  });

  it("stays so when the target gets the promoted spec back", async () => {
    const world = createFlaggerWorld();
    world.answer = () => ({ value: 0 });
    const metrics = [{ name: "request-success-rate", thresholdRange: { min: 99 } }];
    await startRun(world, { spec: { analysis: { ...ANALYSIS, metrics } } });
    await world.advance(40_000);
    world.release("web:1.0.0");
    await world.advance(30_000);
    const { phase, lastAppliedSpec, lastPromotedSpec } = world.canary().status;
    expect({ phase, lastAppliedSpec }).toEqual({ phase: "Failed", lastAppliedSpec: lastPromotedSpec });
  });

  it("starts the next release, and takes it over without analysis if the primary is not ready", async () => {
    for (const isPrimaryReady of [true, false]) {
      const world = createFlaggerWorld();
      world.answer = () => ({ value: 0 });
      const metrics = [{ name: "request-success-rate", thresholdRange: { min: 99 } }];
      await startRun(world, { spec: { analysis: { ...ANALYSIS, metrics } } });
      await world.advance(40_000);
      if (!isPrimaryReady) {
        const primary = world.deployment("app-primary");
        const template = structuredClone(primary.spec?.template) as { metadata: { annotations: object } };
        Object.assign(template.metadata.annotations, { "sandbox.gatehouse/pod-start": "6s" });
        world.store.update("deployments", { ...primary, spec: { ...primary.spec, template } }, { manager: "test" });
      }
      world.release("web:1.2.0");
      const { lastAppliedSpec } = world.canary().status;
      await world.advance(10_000);
      expect(world.canary().status.lastAppliedSpec).not.toBe(lastAppliedSpec);
      await world.advance(10_000);
      expect(world.canary().status.phase).toBe(isPrimaryReady ? "Progressing" : "Failed");
    }
  });
});

describe("a primary that fails in its promotion", () => {
  it.each([
    { version: "1.43.0", canaryWeight: 0, replicas: 0, route: "0" },
    { version: "1.44.0", canaryWeight: 100, replicas: 2, route: "100" },
  ])(
    "with Flagger $version leaves $canaryWeight % to the canary",
    async ({ version, canaryWeight, replicas, route }) => {
      const world = createFlaggerWorld();
      putCanary(world, {
        annotations: { "sandbox.gatehouse/flagger-version": version },
        spec: { progressDeadlineSeconds: 30, analysis: ANALYSIS },
        deployment: { strategy: { type: "Recreate" } },
      });
      await world.advance(40_000);
      world.release("web:1.1.0", { [PRIMARY_POD_START_ANNOTATION]: "never" });
      await world.advance(120_000);
      expect(world.canary().status).toMatchObject({ phase: "Failed", canaryWeight });
      expect(world.deployment("app").spec?.replicas).toBe(replicas);
      expect(world.deployment("app-primary").status?.availableReplicas).toBeUndefined();
      expect(world.store.get("ingresses", NAMESPACE, "app-canary")?.metadata.annotations).toMatchObject({
        "nginx.ingress.kubernetes.io/canary-weight": route,
      });
    },
  );
});

describe("the text of a failed check", () => {
  const rate = "request-success-rate";
  const duration = "request-duration";
  const templateRef = { name: "errors" };
  const cases: { metric: Metric; answer: MetricAnswer; text: string | undefined }[] = [
    { metric: { name: rate, thresholdRange: { min: 99 } }, answer: { value: 99 }, text: undefined },
    {
      metric: { name: rate, thresholdRange: { min: 99 } },
      answer: { value: 98.126 },
      text: "Halt app.shop advancement success rate 98.13% < 99%",
    },
    {
      metric: { name: rate, threshold: 99.5 },
      answer: { value: 98 },
      text: "Halt app.shop advancement success rate 98.00% < 99.5%",
    },
    { metric: { name: duration, thresholdRange: { max: 500 } }, answer: { value: 500.9 }, text: undefined },
    {
      metric: { name: duration, thresholdRange: { max: 500 } },
      answer: { value: 1250.4 },
      text: "Halt app.shop advancement request duration 1.25s > 500ms",
    },
    {
      metric: { name: "errors", thresholdRange: { max: 0.05 }, templateRef },
      answer: { value: 0.1234 },
      text: "Halt app.shop advancement errors 0.12 > 0.05",
    },
    {
      metric: { name: "errors", threshold: 1, query: "up" },
      answer: { value: 2 },
      text: "Halt app.shop advancement errors 2.00 > 1",
    },
    {
      metric: { name: rate, thresholdRange: { min: 99 } },
      answer: { noData: true },
      text: "Halt advancement no values found for nginx metric request-success-rate probably app.shop is not receiving traffic: running query failed: no values found",
    },
    {
      metric: { name: duration, thresholdRange: { max: 500 } },
      answer: { noData: true },
      text: "Halt advancement no values found for nginx metric request-duration probably app.shop is not receiving traffic",
    },
    {
      metric: { name: "errors", templateRef },
      answer: { noData: true },
      text: "Halt advancement no values found for custom metric: errors: no values found",
    },
    {
      metric: { name: "errors", query: "up" },
      answer: { noData: true },
      text: "Halt advancement no values found for metric: errors",
    },
    {
      metric: { name: rate },
      answer: { failure: "connection refused" },
      text: "Prometheus query failed: running query failed: request failed: connection refused",
    },
    {
      metric: { name: "errors", templateRef },
      answer: { failure: "connection refused" },
      text: "Metric query failed for errors: request failed: connection refused",
    },
    {
      metric: { name: "errors", templateRef: { name: "gone" } },
      answer: { value: 1 },
      text: 'Metric template gone.shop error: metrictemplate.flagger.app "gone" not found',
    },
    {
      metric: { name: "errors" },
      answer: { value: 1 },
      text: "Metric query failed for no usable metrics template and query were configured",
    },
  ];
  it.each(cases)("$metric with $answer is $text", async ({ metric, answer, text }) => {
    const world = createFlaggerWorld();
    const messages = followMessages(world);
    const metadata = { name: "errors", namespace: NAMESPACE };
    const template = { apiVersion: "flagger.app/v1beta1", kind: "MetricTemplate", metadata, spec: {} };
    world.store.create("metrictemplates", template, { manager: "test" });
    await startRun(world, { spec: { analysis: { ...ANALYSIS, metrics: [metric] } } });
    world.answer = () => answer;
    await world.advance(10_000);
    expect(world.canary().status.failedChecks).toBe(text === undefined ? 0 : 1);
    expect(messages.at(-1)).toBe(text ?? "Advance app.shop canary weight 40");
  });
});
