import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { HookType, Webhook } from "./canary-types.ts";
import { computeChecksum } from "./send-hooks.ts";
import { createFlaggerWorld, type FlaggerWorld, followMessages, putCanary } from "./testing/flagger-world.ts";
import { type HookServer, startHookServer } from "./testing/hook-server.ts";

const ANALYSIS = { interval: "10s", threshold: 2, maxWeight: 40, stepWeight: 20 };

let server: HookServer;
/** The types of hooks that pass. */
let passing: Set<HookType>;
let world: FlaggerWorld;
let messages: string[];
beforeAll(async () => {
  server = await startHookServer();
  server.answer(({ path }) =>
    passing.has(path.slice(1) as HookType) ? { status: 200, body: "OK" } : { status: 403, body: "Forbidden" },
  );
});
beforeEach(() => {
  server.requests.length = 0;
  passing = new Set<HookType>(["event"]);
  world = createFlaggerWorld();
  messages = followMessages(world);
});
afterAll(() => server.close());

function hook(type: HookType, more: Partial<Webhook> = {}): Webhook {
  return { name: type, type, url: `${server.url}/${type}`, ...more };
}

function callsOf(type: HookType) {
  return server.requests.filter(({ path }) => path === `/${type}`).map(({ body }) => body);
}

async function release(...webhooks: Webhook[]): Promise<void> {
  putCanary(world, { spec: { analysis: { ...ANALYSIS, webhooks } } });
  await world.advance(40_000);
  world.release("web:1.1.0");
}

describe("gates", () => {
  it("confirm-rollout holds a run before the canary is scaled up, and says so once", async () => {
    await release(hook("confirm-rollout", { metadata: { team: "shop" } }));
    const checksum = computeChecksum(world.canary().status);
    await world.advance(40_000);
    expect(world.canary().status).toMatchObject({ phase: "Waiting", canaryWeight: 0 });
    expect(world.deployment("app").spec?.replicas).toBe(0);
    expect(messages.filter((message) => message.includes("waiting for approval"))).toEqual([
      "Halt app.shop advancement waiting for approval confirm-rollout",
    ]);
    const body = { name: "app", namespace: "shop", checksum, metadata: { team: "shop" } };
    expect(callsOf("confirm-rollout")).toEqual(
      ["Initialized", "Waiting", "Waiting", "Waiting"].map((phase) => ({ ...body, phase })),
    );
    passing.add("confirm-rollout");
    await world.advance(10_000);
    expect(messages.slice(-2)).toEqual([
      "Confirm-rollout check confirm-rollout passed",
      "New revision detected! Scaling up app.shop",
    ]);
    expect(world.canary().status.phase).toBe("Progressing");
  });

  it("confirm-traffic-increase holds each step, while checks go on, and says so each time", async () => {
    passing.add("rollout");
    await release(hook("confirm-traffic-increase"), hook("rollout"));
    await world.advance(40_000);
    expect(world.canary().status).toMatchObject({ phase: "Progressing", canaryWeight: 0, failedChecks: 0 });
    const halted = "Halt app.shop advancement waiting for traffic increase approval confirm-traffic-increase";
    expect(messages.filter((message) => message === halted)).toHaveLength(3);
    passing.add("confirm-traffic-increase");
    await world.advance(10_000);
    passing.delete("confirm-traffic-increase");
    await world.advance(30_000);
    expect(world.canary().status).toMatchObject({ phase: "Progressing", canaryWeight: 20 });
    expect(callsOf("rollout")).toHaveLength(3);
    expect(new Set(callsOf("confirm-traffic-increase").map(({ phase }) => phase))).toEqual(new Set(["Progressing"]));
    passing.add("confirm-traffic-increase");
    await world.advance(20_000);
    // It is asked once more before the promotion.
    expect(world.canary().status.phase).toBe("Promoting");
    expect(messages.slice(-2)).toEqual([
      "Confirm-traffic-increase check confirm-traffic-increase passed",
      "Copying app.shop template spec to app-primary.shop",
    ]);
  });

  it("confirm-promotion waits with weight 0 and iteration -1 in the status, and checks go on", async () => {
    passing.add("rollout");
    await release(hook("confirm-promotion"), hook("rollout"));
    await world.advance(60_000);
    expect(world.canary().status).toMatchObject({ phase: "WaitingPromotion", canaryWeight: 0, iterations: -1 });
    expect(new Set(callsOf("confirm-promotion").map(({ phase }) => phase))).toEqual(new Set(["Progressing"]));
    const [{ checksum } = {}] = callsOf("confirm-promotion");
    expect(checksum).toBe(computeChecksum(world.canary().status));
    const checks = callsOf("rollout").length;
    await world.advance(20_000);
    expect(callsOf("rollout")).toHaveLength(checks + 2);
    passing.delete("rollout");
    await world.advance(30_000);
    expect(messages.slice(-2)).toEqual([
      "Rolling back app.shop failed checks threshold reached 2",
      "Canary failed! Scaling down app.shop",
    ]);
  });

  it("blue-green asks for the promotion twice: before it routes, and before it copies", async () => {
    passing.add("confirm-promotion");
    const webhooks = [hook("confirm-promotion")];
    putCanary(world, { spec: { analysis: { interval: "10s", threshold: 2, iterations: 2, webhooks } } });
    await world.advance(40_000);
    world.release("web:1.1.0");
    await world.advance(120_000);
    expect(callsOf("confirm-promotion")).toHaveLength(2);
    expect(world.canary().status.phase).toBe("Succeeded");
  });

  it("an iterations strategy asks at every second pass while it is refused", async () => {
    const webhooks = [hook("confirm-promotion")];
    const match = [{ headers: { "x-canary": { exact: "insider" } } }];
    putCanary(world, { spec: { analysis: { interval: "10s", threshold: 2, iterations: 2, match, webhooks } } });
    await world.advance(40_000);
    world.release("web:1.1.0");
    await world.advance(50_000);
    expect(world.canary().status).toMatchObject({ phase: "WaitingPromotion", canaryWeight: 0 });
    const calls = callsOf("confirm-promotion").length;
    await world.advance(80_000);
    expect(callsOf("confirm-promotion")).toHaveLength(calls + 4);
  });

  it("rollback rolls back when it passes, and is not asked while the start waits", async () => {
    passing.add("confirm-rollout");
    await release(hook("rollback"), hook("confirm-rollout"));
    await world.advance(30_000);
    expect(messages.at(-2)).toBe("Rollback hook rollback not signaling a rollback");
    passing.add("rollback");
    await world.advance(10_000);
    expect(messages.slice(-3)).toEqual([
      "Rollback check rollback passed",
      "Rolling back app.shop manual webhook invoked",
      "Canary failed! Scaling down app.shop",
    ]);
    expect(world.canary().status.phase).toBe("Failed");
    passing.delete("confirm-rollout");
    world.release("web:1.2.0");
    const asked = callsOf("rollback").length;
    await world.advance(40_000);
    expect(world.canary().status.phase).toBe("Waiting");
    expect(callsOf("rollback")).toHaveLength(asked);
  });
});

describe("checks", () => {
  it("pre-rollout is asked before there is traffic; refusals count as failed checks", async () => {
    await release(hook("pre-rollout"), hook("post-rollout"));
    await world.advance(50_000);
    expect(messages).toContain("Halt app.shop advancement pre-rollout check pre-rollout failed Forbidden");
    expect(messages.slice(-2)).toEqual([
      "Canary failed! Scaling down app.shop",
      "Post-rollout hook post-rollout failed Forbidden",
    ]);
    expect(callsOf("pre-rollout")).toHaveLength(2);
    expect(callsOf("post-rollout")).toMatchObject([{ phase: "Failed" }]);
  });

  it("a hook without a type is a check of each round, and post-rollout is told how it ended", async () => {
    passing.add("rollout").add("post-rollout");
    await release({ name: "load", url: `${server.url}/rollout` }, hook("post-rollout"));
    await world.advance(90_000);
    expect(world.canary().status.phase).toBe("Succeeded");
    expect(callsOf("rollout")).toHaveLength(2);
    expect(callsOf("post-rollout")).toMatchObject([{ phase: "Succeeded" }]);
    expect(messages.slice(-2)).toEqual([
      "Post-rollout check post-rollout passed",
      "Promotion completed! Scaling down app.shop",
    ]);
  });
});

it("events are told with what the Canary was before, and with metadata that it cannot override", async () => {
  const metadata = { team: "shop", eventType: "mine" };
  await release(hook("event", { metadata }), hook("confirm-rollout"));
  await world.advance(20_000);
  const event = callsOf("event").at(-1) as { phase: string; metadata: Record<string, string> };
  expect(event.phase).toBe("Initialized");
  expect(event.metadata).toEqual({
    team: "shop",
    eventType: "Warning",
    eventMessage: "Halt app.shop advancement waiting for approval confirm-rollout",
    timestamp: expect.stringMatching(/^\d{13}$/),
  });
  expect(callsOf("event").map((call) => (call.metadata as { eventMessage: string }).eventMessage)).toEqual(messages);
});
