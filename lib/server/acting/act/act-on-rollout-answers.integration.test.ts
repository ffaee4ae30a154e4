import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { ClusterUnreachableError } from "#lib/server/clusters/kubernetes/cluster-errors.ts";
import { type ActingWorld, actorOf, createActingWorld, failureOf } from "#test/acting-world.ts";

let world: ActingWorld;

beforeAll(async () => {
  world = await createActingWorld();
});
afterEach(() => world.setIntercept(undefined));
afterAll(() => world.close());

describe("the cluster's answer", () => {
  it("notices a patch that was answered with 200 and ignored", async () => {
    const rollout = await world.addRollout();
    // The main path answers 200 to a status patch and does nothing: simulated by sending the patch there.
    world.setIntercept((request, send) => {
      if (request.method !== "PATCH" || !request.path.endsWith("/status")) return send();
      return world.client.request({ ...request, path: request.path.replace(/\/status$/, "") });
    });
    await expect(world.act({ rollout, action: "abort" })).rejects.toMatchObject({ code: "cluster_refused" });
    expect(rollout.read().status.abort).toBe(false);
    expect(await world.outcomesOf(rollout)).toEqual(["action.abort intent", "action.abort refused"]);
  });

  it.each([
    { name: "lost after it was applied", apply: true, sent: true, state: "unknown" },
    { name: "lost before it was applied", apply: false, sent: true, state: "unknown" },
  ])("is unknown when $name, and is not sent again", async ({ apply, sent, state }) => {
    const rollout = await world.addRollout();
    let sends = 0;
    world.setIntercept(async (request, send) => {
      if (request.method !== "PATCH") return send();
      sends += 1;
      if (apply) await send();
      throw new ClusterUnreachableError({ cluster: "prod-eu", sent, message: "connection lost" });
    });
    const accepted = await world.act({ rollout, action: "abort" });
    expect(accepted.state).toBe(state);
    expect(sends).toBe(1);
    expect(await world.outcomesOf(rollout)).toEqual(["action.abort intent", "action.abort unknown"]);
    world.setIntercept(undefined);
    await expect(world.act({ rollout, action: "promote-full" })).rejects.toMatchObject({
      code: "not_allowed_now",
      message: expect.stringContaining("no outcome yet"),
    });
  });

  it("is a refusal where the request never left", async () => {
    const rollout = await world.addRollout();
    world.setIntercept((request, send) => {
      if (request.method !== "PATCH") return send();
      throw new ClusterUnreachableError({ cluster: "prod-eu", sent: false, message: "refused" });
    });
    await expect(world.act({ rollout, action: "abort" })).rejects.toMatchObject({ code: "unavailable" });
    expect(await world.outcomesOf(rollout)).toEqual(["action.abort intent", "action.abort refused"]);
  });

  it.each([
    {
      action: "continue" as const,
      refused: "status",
      message:
        "Partially applied (no). spec.paused is cleared, but the other pauses remain: look again, then act again.",
      left: { paused: false, waits: true },
    },
    {
      action: "promote-full" as const,
      refused: "main",
      message: 'Partially applied (no). Still to apply: {"spec":{"paused":false}}.',
      left: { paused: true, waits: true },
    },
  ])("is partial where the second patch of $action fails", async ({ action, refused, message, left }) => {
    const rollout = await world.addRollout({ spec: { paused: true } });
    world.setIntercept(async (request, send) =>
      request.method === "PATCH" && (request.path.endsWith("/status") ? "status" : "main") === refused
        ? { status: 403, json: { message: "no" }, text: "", date: undefined }
        : send(),
    );
    const accepted = await world.act({ rollout, action });
    expect(accepted.state).toBe("partial");
    expect((await world.rowOf(accepted.id)).message).toBe(message);
    const { spec, status } = rollout.read();
    expect({ paused: spec.paused, waits: (status.pauseConditions ?? []).length > 0 }).toEqual(left);
    expect(await world.outcomesOf(rollout)).toEqual([`action.${action} intent`, `action.${action} partial`]);
  });

  it("falls back to the main resource where there is no status subresource", async () => {
    const rollout = await world.addRollout();
    const sentTo: string[] = [];
    world.setIntercept(async (request, send) => {
      if (request.method !== "PATCH") return send();
      sentTo.push(request.path.endsWith("/status") ? "status" : "main");
      if (request.path.endsWith("/status"))
        return { status: 404, json: undefined, text: "404 page not found", date: undefined };
      rollout.setStatus((status) => ({ ...status, abort: true }));
      return { status: 200, json: rollout.read(), text: "", date: undefined };
    });
    await expect(world.act({ rollout, action: "abort" })).resolves.toMatchObject({ state: "applied" });
    expect(sentTo).toEqual(["status", "main"]);
  });
});

describe("what nobody foresaw", () => {
  it.each([
    { name: "a bug", thrown: () => new TypeError("x is undefined"), code: "internal" },
    { name: "no error at all", thrown: () => "broken", code: "internal" },
    {
      name: "a cluster that does not answer, told where nothing is expected of it",
      thrown: () => Object.assign(new Error("x"), { brand: "service-error", code: "unavailable", extra: {} }),
      code: "unavailable",
    },
  ])("ends in an audit entry before anything is sent: $name", async ({ thrown, code }) => {
    const rollout = await world.addRollout();
    world.setIntercept(() => {
      throw thrown();
    });
    const failure = await failureOf(world.act({ rollout, action: "abort" }));
    expect(failure.code).toBe(code);
    expect(await world.outcomesOf(rollout)).toEqual(["action.abort refused"]);
    expect(await world.rowOf(failure.extra.actionId as string)).toMatchObject({ state: "refused" });
    world.setIntercept(undefined);
    await expect(world.act({ rollout, action: "abort" })).resolves.toMatchObject({ state: "applied" });
  });

  it("keeps the outcome of an intent where what changed cannot be told", async () => {
    const rollout = await world.addRollout();
    let reads = 0;
    world.setIntercept(async (request, send) => {
      if (request.method === "PATCH") return { status: 409, json: { message: "changed" }, text: "", date: undefined };
      reads += 1;
      if (reads > 1) rollout.setStatus((status) => ({ ...status, currentStepIndex: 2 }));
      return send();
    });
    const { pool } = world.runtime;
    const query = pool.query.bind(pool);
    Object.assign(pool, {
      query: (...args: Parameters<typeof query>) =>
        JSON.stringify(args).includes("view_digest") && reads > 1 ? Promise.reject(new Error("x")) : query(...args),
    });
    const failure = await failureOf(world.act({ rollout, action: "continue" }));
    Object.assign(pool, { query });
    expect(failure.code).toBe("stale_view");
    expect(await world.outcomesOf(rollout)).toEqual(["action.continue intent", "action.continue refused"]);
  });
});

describe("the idempotency key", () => {
  it("makes one action of two requests at once, and answers the same later", async () => {
    const rollout = await world.addRollout();
    const [one, two] = await Promise.all([
      world.act({ rollout, action: "abort", idempotencyKey: "k-1" }),
      world.act({ rollout, action: "abort", idempotencyKey: "k-1" }),
    ]);
    expect(two).toEqual(one);
    const expected = await failureOf(world.act({ rollout, action: "abort", idempotencyKey: "k-1", reason: "other" }));
    expect(expected.code).toBe("conflict");
    expect(await world.outcomesOf(rollout)).toEqual(["action.abort intent", "action.abort applied"]);
  });

  it("gives a refusal again, and is free after 24 h", async () => {
    const rollout = await world.addRollout();
    const retry = () => failureOf(world.act({ rollout, action: "retry", idempotencyKey: "k-2" }));
    const first = await retry();
    expect(await retry()).toMatchObject({ code: "not_allowed_now", extra: { actionId: first.extra.actionId } });
    await world.owner.query("UPDATE action SET requested_at = now() - interval '25 hours' WHERE id = $1", [
      first.extra.actionId,
    ]);
    expect((await retry()).extra.actionId).not.toBe(first.extra.actionId);
  });

  it.each(["", "a b", "é", "x".repeat(201)])("is refused as %j", async (idempotencyKey) => {
    const rollout = await world.addRollout();
    await expect(world.act({ rollout, action: "abort", idempotencyKey })).rejects.toMatchObject({
      code: "invalid_request",
    });
  });
});

describe("abort against continue at the same moment", () => {
  it("ends with one of them in force and a valid chain", async () => {
    for (let round = 0; round < 8; round += 1) {
      const rollout = await world.addRollout();
      const seen = await rollout.look();
      const [abort, goOn] = await Promise.allSettled([
        world.act({ rollout, action: "abort", expect: seen, actor: actorOf("operator") }),
        world.act({ rollout, action: "continue", expect: seen, actor: actorOf("admin") }),
      ]);
      expect(abort.status).toBe("fulfilled");
      expect(rollout.read().status.abort).toBe(true);
      if (goOn.status === "rejected") expect(["stale_view", "not_allowed_now"]).toContain(goOn.reason.code);
    }
    expect(await world.verify()).toMatchObject({ ok: true });
  });
});
