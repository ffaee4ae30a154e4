import { beforeEach, describe, expect, it } from "vitest";
import { createStore } from "#sandbox/apiserver/store.ts";
import type { Store } from "#sandbox/apiserver/store-types.ts";
import { imageTag } from "#sandbox/controllers/metric-provider.ts";
import type { PodTemplate } from "#sandbox/controllers/rollout-types.ts";
import { type Controllers, startControllers } from "#sandbox/controllers/start-controllers.ts";
import { createFakeClock, type FakeClock } from "#sandbox/controllers/testing/fake-clock.ts";
import { viewCanary } from "#sandbox/flagger/canary-types.ts";
import { allFlaggerScenarios } from "./all-flagger-scenarios.ts";
import type { FlaggerScenario } from "./flagger-scenario-types.ts";

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
