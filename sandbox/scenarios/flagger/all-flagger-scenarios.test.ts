import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createStore } from "#sandbox/apiserver/store.ts";
import type { Store } from "#sandbox/apiserver/store-types.ts";
import { imageTag } from "#sandbox/controllers/metric-provider.ts";
import type { PodTemplate } from "#sandbox/controllers/rollout-types.ts";
import { type Controllers, startControllers } from "#sandbox/controllers/start-controllers.ts";
import { createFakeClock, type FakeClock } from "#sandbox/controllers/testing/fake-clock.ts";
import { type CanaryStatus, viewCanary } from "#sandbox/flagger/canary-types.ts";
import { type HookServer, startHookServer } from "#sandbox/flagger/testing/hook-server.ts";
import { allFlaggerScenarios } from "./all-flagger-scenarios.ts";
import type { FlaggerScenario } from "./flagger-scenario-types.ts";
import {
  flaggerHalted,
  flaggerHealthy,
  flaggerPrimaryFails143,
  flaggerPrimaryFails144,
  flaggerPromotion,
  flaggerSwallowed,
  flaggerTrafficGate,
} from "./flagger-scenarios.ts";

let clock: FakeClock;
let store: Store;
let controllers: Controllers;
beforeEach(() => {
  clock = createFakeClock();
  let nextUid = 1;
  const uid = (): string => `00000000-0000-4000-8000-${String(nextUid++).padStart(12, "0")}`;
  store = createStore({ now: () => new Date(clock.now()), uid });
});

function start(flagger: { scenarios?: readonly FlaggerScenario[]; gateBaseUrl?: () => string }): void {
  controllers = startControllers({ store, clock, speed: 1, seed: 1, scenarios: [], flagger: { pace: 5, ...flagger } });
  controllers.startScenarios();
}

async function advance(ms: number): Promise<void> {
  for (let passedMs = 0; passedMs < ms; passedMs += 500) {
    clock.advance(500);
    await controllers.idle();
  }
}

/** Starts other controllers on the same objects, as a restart does. */
function restart(flagger: Parameters<typeof start>[0]): void {
  controllers.stop();
  start(flagger);
}

function statusOf({ namespace, name }: FlaggerScenario): CanaryStatus {
  const object = store.get("canaries", namespace, name);
  const canary = object === undefined ? undefined : viewCanary(object);
  if (canary === undefined) throw new Error(`no Canary ${name}`);
  return canary.status;
}

function available({ namespace }: FlaggerScenario, name: string): unknown {
  return store.get("deployments", namespace, name)?.status?.availableReplicas;
}

function stateOf({ namespace, name }: FlaggerScenario) {
  const object = store.get("canaries", namespace, name);
  const canary = object === undefined ? undefined : viewCanary(object);
  const template = store.get("deployments", namespace, name)?.spec?.template as PodTemplate | undefined;
  const { phase, canaryWeight, iterations, conditions = [] } = canary?.status ?? {};
  const version = imageTag(template?.spec.containers[0]?.image ?? "");
  return { phase, canaryWeight, iterations, message: conditions[0]?.message, version };
}

describe("each scenario reaches its state within two minutes while its gates are closed, and stays there", () => {
  it.each(allFlaggerScenarios.map((scenario) => ({ key: scenario.key, scenario })))("$key", async ({ scenario }) => {
    start({ scenarios: [scenario] });
    await advance(120_000);
    expect(stateOf(scenario)).toMatchObject(scenario.expected);
    await advance(120_000);
    expect(stateOf(scenario)).toMatchObject(scenario.expected);
  });
});

describe("what the scenarios show", () => {
  it("healthy: every release was promoted, one after the other", async () => {
    const promoted: string[] = [];
    store.subscribe(({ resource, object }) => {
      const spec = resource === "canaries" ? (object.status as CanaryStatus | undefined)?.lastPromotedSpec : undefined;
      if (spec !== undefined && spec !== promoted.at(-1)) promoted.push(spec);
    });
    start({ scenarios: [flaggerHealthy] });
    await advance(120_000);
    expect(promoted).toHaveLength(4);
    expect(available(flaggerHealthy, "profile-primary")).toBe(3);
    expect(available(flaggerHealthy, "profile")).toBeUndefined();
  });

  it("halted: the failed checks are of the metrics that are bad", async () => {
    start({ scenarios: [flaggerHalted] });
    await advance(60_000);
    const texts = store.list("events", "shopfront").map(({ message }) => String(message));
    expect(texts.filter((text) => text.startsWith("Halt"))).not.toEqual([]);
    expect(texts.filter((text) => text.startsWith("Halt") && !text.includes("success rate 9"))).toEqual([]);
  });

  it("primaryFails143 has no pod left that serves, primaryFails144 has the canary's", async () => {
    start({ scenarios: [flaggerPrimaryFails143, flaggerPrimaryFails144] });
    await advance(120_000);
    const serving = [flaggerPrimaryFails143, flaggerPrimaryFails144].map((scenario) =>
      [scenario.name, `${scenario.name}-primary`].map((name) => available(scenario, name)),
    );
    expect(serving).toEqual([
      [undefined, undefined],
      [2, undefined],
    ]);
  });

  it("swallowed: the newest spec was applied without a run, and its primary is ready again", async () => {
    start({ scenarios: [flaggerSwallowed] });
    await advance(60_000);
    const { lastAppliedSpec, lastPromotedSpec } = statusOf(flaggerSwallowed);
    expect(lastAppliedSpec).not.toBe(lastPromotedSpec);
    expect(available(flaggerSwallowed, "reviews-primary")).toBe(2);
    const starts = store.list("events", "shopfront").filter(({ message }) => /Scaling up/.test(String(message)));
    expect(starts.map(({ count }) => count)).toEqual([1]);
  });
});

describe("hooks", () => {
  let server: HookServer;
  let isOpen = false;
  beforeEach(async () => {
    isOpen = false;
    server = await startHookServer();
    server.answer(({ path }) => ({ status: path.startsWith("/base/confirm") && isOpen ? 200 : 403 }));
  });
  afterEach(() => server.close());

  it("ask the URL that was given, with its credentials, and an open gate lets the release through", async () => {
    const gateBaseUrl = (): string => `${server.url.replace("//", "//flagger:secret@")}/base`;
    start({ scenarios: [flaggerPromotion, flaggerTrafficGate], gateBaseUrl });
    await advance(60_000);
    expect(stateOf(flaggerPromotion)).toMatchObject(flaggerPromotion.expected);
    expect(stateOf(flaggerTrafficGate)).toMatchObject(flaggerTrafficGate.expected);
    const authorization = `Basic ${Buffer.from("flagger:secret").toString("base64")}`;
    expect(new Set(server.requests.map((request) => request.authorization))).toEqual(new Set([authorization]));
    expect(new Set(server.requests.map(({ path }) => path))).toEqual(
      new Set(["/base/event", "/base/rollback", "/base/confirm-promotion", "/base/confirm-traffic-increase"]),
    );
    isOpen = true;
    await advance(60_000);
    expect([statusOf(flaggerPromotion).phase, statusOf(flaggerTrafficGate).phase]).toEqual(["Succeeded", "Succeeded"]);
  });

  it("follow Gatehouse to another URL at the next start, and nothing is played twice", async () => {
    const scenarios = [flaggerPromotion, flaggerSwallowed, flaggerPrimaryFails144];
    start({ scenarios });
    await advance(120_000);
    restart({ scenarios, gateBaseUrl: () => `${server.url}/base` });
    await advance(30_000);
    for (const scenario of scenarios) expect(stateOf(scenario)).toMatchObject(scenario.expected);
    const spec = store.get("canaries", flaggerPromotion.namespace, flaggerPromotion.name)?.spec;
    expect(spec).toMatchObject({
      analysis: {
        webhooks: ["confirm-promotion", "rollback", "event"].map((type) => ({ url: `${server.url}/base/${type}` })),
      },
    });
    expect(server.requests.length).toBeGreaterThan(10);
  });
});
