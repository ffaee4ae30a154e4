import { setImmediate } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { z } from "zod";
import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";
import { openEventStream, type StreamTiming } from "#lib/server/edge/http/event-stream.ts";
import { actorKey } from "#lib/server/platform/actor/actor.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { RoleBinding } from "#lib/server/platform/config/policy-schema.ts";
import { waitFor } from "#test/recorder-world.ts";
import { startTestWeb, type TestWeb, testOrigin } from "#test/web-runtime.ts";
import { configOf, issuer, openSession } from "./people.ts";

/** Argo CD CVE-2024-41666: revoked rights still counted for connections that were already open. */

let web: TestWeb;
beforeAll(async () => {
  web = await startTestWeb({ config: configOf() });
  await waitFor("a cursor", () => web.runtime.changes.cursor() !== undefined);
});
afterAll(() => web.close());

const quick = { commentEveryMs: 20, recheckEveryMs: 20, uncheckedMs: 60_000 };
/** The machine may be busy. */
const patience = { timeout: 120_000 };
/** The failure that the repeated check of rights runs into. */
let hindrance: (() => Promise<never>) | undefined;
/** Undefined for the usual one. */
let timing: StreamTiming | undefined = quick;
const route = endpoint({
  endpoint: endpoints.stream,
  handler: ({ ctx, request, runtime }) => {
    const pool = hindrance === undefined ? runtime.pool : ({ query: hindrance } as unknown as typeof runtime.pool);
    return openEventStream({ ctx, request, runtime: { ...runtime, pool }, ...(timing && { timing }) });
  },
});

/** Waits without a timer: those of a test may be its own. */
async function until(isReached: () => boolean): Promise<void> {
  while (!isReached()) await setImmediate();
}

/** Collects the text of the stream until it ends. */
async function listen(headers: Record<string, string>) {
  const abort = new AbortController();
  const response = await route(new Request(`${testOrigin}/api/v1/stream`, { headers, signal: abort.signal }));
  expect(response.status).toBe(200);
  const heard = { text: "", isOver: false };
  void (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) heard.text += decoder.decode(chunk);
    heard.isOver = true;
  })();
  await until(() => heard.text.includes("id: "));
  const ids = () => [...heard.text.matchAll(/"id":"([^"]+)"/g)].map((match) => match[1]);
  return { heard, ids, close: () => abort.abort() };
}

async function log(
  kind: string,
  ref: string,
  [cluster, namespace, name]: [string | null, string | null, name?: string] = ["demo", "payments"],
): Promise<void> {
  await web.runtime.pool.query(
    "INSERT INTO change_log (kind, ref, op, cluster, namespace, name) VALUES ($1, $2, 'upsert', $3, $4, $5)",
    [kind, ref, cluster, namespace, name ?? null],
  );
}

/** Puts other role bindings in force, as a config reload does. */
function bind(roles: z.input<typeof RoleBinding>[]): void {
  const { auth } = web.runtime.config().config;
  auth.roles.splice(0, auth.roles.length, ...roles.map((role) => RoleBinding.parse(role)));
}

describe("an open stream", () => {
  it("ends soon after its session is revoked", async () => {
    const { cookie, sessionId } = await openSession(web, "viewer");
    const stream = await listen({ cookie });
    await web.runtime.pool.query("UPDATE user_session SET revoked_at = now() WHERE id = $1", [sessionId]);
    await expect.poll(() => stream.heard.isOver, patience).toBe(true);
  });

  it("does not keep its session from going idle", async () => {
    const { cookie, sessionId } = await openSession(web, "viewer");
    await web.runtime.pool.query(
      "UPDATE user_session SET last_seen_at = now() - interval '10 minutes', idle_expires_at = now() + interval '1 second' WHERE id = $1",
      [sessionId],
    );
    const stream = await listen({ cookie });
    await expect.poll(() => stream.heard.isOver, patience).toBe(true);
  });

  it.each([
    { name: "fails for no known reason", hinder: async () => Promise.reject(new Error("something broke")) },
    {
      name: "fails while the database is away",
      hinder: async () => Promise.reject(new ServiceError("unavailable", "")),
    },
    { name: "never ends", hinder: () => new Promise<never>(() => {}) },
  ])("ends where the check of its reader's rights $name", async ({ hinder }) => {
    const { cookie } = await openSession(web, "viewer");
    hindrance = hinder;
    timing = { ...quick, uncheckedMs: 100 };
    try {
      const stream = await listen({ cookie });
      await expect.poll(() => stream.heard.isOver, patience).toBe(true);
    } finally {
      hindrance = undefined;
      timing = quick;
    }
  });

  it("checks its reader's rights each twenty seconds, and ends thirty seconds after it last could", async () => {
    const { cookie } = await openSession(web, "viewer");
    const listeners = () => web.runtime.changes.listenerCount(actorKey({ issuer, subject: "viewer" }));
    let checks = 0;
    hindrance = () => {
      checks += 1;
      return new Promise(() => {});
    };
    timing = undefined;
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "setTimeout", "clearTimeout"] });
    try {
      const before = listeners();
      const stream = await listen({ cookie });
      vi.advanceTimersByTime(19_999);
      expect(checks).toBe(0);
      vi.advanceTimersByTime(1);
      await until(() => checks === 1);
      vi.advanceTimersByTime(9999);
      expect(listeners()).toBe(before + 1);
      vi.advanceTimersByTime(1);
      expect(listeners()).toBe(before);
      await until(() => stream.heard.isOver);
    } finally {
      vi.useRealTimers();
      hindrance = undefined;
      timing = quick;
    }
  });

  it("tells only of what its reader may read, and of more or less when the bindings change", async () => {
    bind([{ role: "viewer", users: ["reader"], namespaces: ["payments"] }]);
    const { cookie } = await openSession(web, "reader");
    const stream = await listen({ cookie });
    await log("rollout", "demo/elsewhere/Rollout/hidden", ["demo", "elsewhere"]);
    await log("analysis-run", "hidden-run", ["demo", "elsewhere"]);
    await log("audit", "4711", [null, null]);
    await log("source", "other/rollouts", ["other", ""]);
    await log("analysis-run", "shown-run");
    await expect.poll(stream.ids, patience).toEqual(["other/rollouts", "shown-run"]);
    bind([{ role: "viewer", users: ["reader"], namespaces: ["elsewhere"] }]);
    await expect.poll(() => stream.heard.text, patience).toContain("event: reset");
    await log("rollout", "demo/payments/Rollout/hidden");
    await log("rollout", "demo/elsewhere/Rollout/shown", ["demo", "elsewhere"]);
    await expect.poll(stream.ids, patience).toEqual(["other/rollouts", "shown-run", "demo/elsewhere/Rollout/shown"]);
    bind([]);
    await expect.poll(() => stream.heard.isOver, patience).toBe(true);
  });

  it("tells who may read one rollout of what belongs to it, and of nothing else", async () => {
    bind([{ role: "viewer", users: ["reader"], namespaces: ["payments"], rollouts: ["checkout"] }]);
    const { cookie } = await openSession(web, "reader");
    const stream = await listen({ cookie });
    const kinds = ["analysis-run", "release", "experiment", "action", "audit", "approval"];
    for (const kind of kinds) {
      await log(kind, `${kind} of cart`, ["demo", "payments", "cart"]);
      await log(kind, `${kind} of another namespace`, ["demo", "elsewhere", "checkout"]);
      await log(kind, `${kind} of nobody`, ["demo", "payments"]);
      await log(kind, `${kind} of checkout`, ["demo", "payments", "checkout"]);
    }
    await expect.poll(stream.ids, patience).toEqual(kinds.map((kind) => `${kind} of checkout`));
    stream.close();
  });

  it("goes on where it was, for a reader who heard nothing for long", async () => {
    bind([{ role: "viewer", users: ["reader"], namespaces: ["payments"] }]);
    const { cookie } = await openSession(web, "reader");
    const stream = await listen({ cookie });
    const first = /id: (\S+)/.exec(stream.heard.text)?.[1];
    await log("rollout", "demo/elsewhere/Rollout/hidden", ["demo", "elsewhere"]);
    await expect.poll(() => stream.heard.text.trim().split("id: ").at(-1), patience).not.toBe(first);
    expect(stream.ids()).toEqual([]);
    stream.close();
  });
});
