import pg from "pg";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { hashToken } from "#lib/server/people/auth/token-secret.ts";
import { createTestDatabase } from "#test/database.ts";
import { connectRecorded, type Recorded } from "#test/recorded.ts";
import { waitFor } from "#test/recorder-world.ts";
import { parseEvents, type StreamEvent } from "#test/stream-events.ts";
import { startTestWeb, type TestWeb } from "#test/web-runtime.ts";
import { GET } from "./route.ts";

let web: TestWeb;
let recorded: Recorded;
beforeAll(async () => {
  web = await startTestWeb();
  recorded = await connectRecorded(web.database.recorderUrl);
  await waitFor("a cursor", () => web.runtime.changes.cursor() !== undefined);
});
afterAll(async () => {
  await recorded.close();
  await web.close();
});

/** Opens a stream and reads its events one by one. */
async function open(lastEventId?: string) {
  const abort = new AbortController();
  const headers: Record<string, string> = lastEventId === undefined ? {} : { "last-event-id": lastEventId };
  const response = await GET(web.request("/api/v1/stream", { as: "viewer", headers, signal: abort.signal }));
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  const events = parseEvents(response.body ?? new ReadableStream());
  return {
    next: async (): Promise<StreamEvent | undefined> => (await events.next()).value ?? undefined,
    nextChange: async (): Promise<StreamEvent> => {
      for (;;) {
        const event = (await events.next()).value;
        if (event === undefined) throw new Error("the stream ended");
        if (event.event !== undefined) return event;
      }
    },
    close: () => abort.abort(),
  };
}

function refOf(event: StreamEvent | undefined): string {
  return (JSON.parse(event?.data ?? "{}") as { id: string }).id;
}

describe("the event stream", () => {
  it("tells of a change, and resumes after it", async () => {
    const stream = await open();
    await recorded.addChange({ kind: "rollout", ref: "demo/a/Rollout/first" });
    const first = await stream.nextChange();
    expect(first).toMatchObject({ event: "change" });
    expect(JSON.parse(first.data ?? "")).toEqual({ kind: "rollout", id: "demo/a/Rollout/first", op: "upsert" });
    stream.close();

    await recorded.addChange({ kind: "release", ref: "missed" });
    const resumed = await open(first.id);
    expect(refOf(await resumed.nextChange())).toBe("missed");
    await recorded.addChange({ kind: "audit", ref: "17" });
    expect(refOf(await resumed.nextChange())).toBe("17");
    resumed.close();
  });

  it("names the rollout of what belongs to one", async () => {
    const stream = await open();
    const place = "'demo', 'shop', 'Rollout', 'checkout'";
    for (const kind of ["analysis-run", "template"])
      await recorded.client.query(
        `INSERT INTO change_log (kind, ref, op, cluster, namespace, object_kind, name) VALUES ($1, 'x', 'upsert', ${place})`,
        [kind],
      );
    await recorded.addChange({ kind: "analysis-run", ref: "of nobody known" });
    const events = [await stream.nextChange(), await stream.nextChange(), await stream.nextChange()];
    stream.close();
    expect(events.map(({ data }) => JSON.parse(data ?? ""))).toEqual([
      { kind: "analysis-run", id: "x", op: "upsert", rollout: "demo/shop/Rollout/checkout" },
      { kind: "template", id: "x", op: "upsert" },
      { kind: "analysis-run", id: "of nobody known", op: "upsert" },
    ]);
  });

  it("loses nothing that commits late", async () => {
    const early = new pg.Client({ connectionString: web.database.recorderUrl });
    await early.connect();
    const stream = await open();
    await early.query("BEGIN");
    await early.query("INSERT INTO change_log (kind, ref, op) VALUES ('rollout', 'early', 'upsert')");
    await recorded.addChange({ kind: "rollout", ref: "late" });
    await early.query("COMMIT");
    expect(refOf(await stream.nextChange())).toBe("early");
    expect(refOf(await stream.nextChange())).toBe("late");
    stream.close();
    await early.end();
  });

  it("waits for no transaction of another database on the server", async () => {
    const neighbour = await createTestDatabase();
    const long = new pg.Client({ connectionString: neighbour.recorderUrl });
    await long.connect();
    const stream = await open();
    await long.query("BEGIN");
    await long.query("INSERT INTO change_log (kind, ref, op) VALUES ('rollout', 'elsewhere', 'upsert')");
    await recorded.addChange({ kind: "rollout", ref: "here" });
    const { event, data } = await stream.nextChange();
    expect({ event, data: JSON.parse(data ?? "") }).toMatchObject({ event: "change", data: { id: "here" } });
    await long.query("COMMIT");
    // The place is later than a transaction that still ran elsewhere. That alone must cause no reset.
    await recorded.addChange({ kind: "rollout", ref: "then" });
    expect(refOf(await stream.nextChange())).toBe("then");
    stream.close();
    await long.end();
    await neighbour.drop();
  });

  it("says reset for a place that it no longer knows", async () => {
    const stream = await open();
    await recorded.addChange({ kind: "rollout", ref: "to-be-pruned" });
    const { id } = await stream.nextChange();
    stream.close();
    await recorded.client.query("DELETE FROM change_log");
    await recorded.addChange({ kind: "rollout", ref: "after" });
    const resumed = await open(id);
    expect((await resumed.nextChange()).event).toBe("reset");
    resumed.close();
  });

  it.each(["nonsense", Buffer.from("99999999999.1").toString("base64url")])("says reset for %s", async (id) => {
    const stream = await open(id);
    expect((await stream.nextChange()).event).toBe("reset");
    stream.close();
  });

  it("tells of one object once in a batch", async () => {
    const stream = await open();
    await recorded.client.query(
      "INSERT INTO change_log (kind, ref, op) VALUES ('rollout', 'x', 'upsert'), ('rollout', 'y', 'upsert'), ('rollout', 'x', 'upsert')",
    );
    // A change of the previous test may still arrive.
    const refs: string[] = [];
    while (refs.length < 2) refs.push(...[refOf(await stream.nextChange())].filter((ref) => ref.length === 1));
    expect(refs).toEqual(["y", "x"]);
    stream.close();
  });

  it("cuts a reader that does not read", async () => {
    const cut = async () => (await web.runtime.metrics.streamCuts.get()).values[0]?.value ?? 0;
    const before = await cut();
    await GET(web.request("/api/v1/stream", { as: "viewer" }));
    await expect.poll(() => web.runtime.changes.listenerCount()).toBeGreaterThan(0);
    await recorded.client.query(
      "INSERT INTO change_log (kind, ref, op) SELECT 'rollout', repeat('x', 500) || i, 'upsert' FROM generate_series(1, 1000) i",
    );
    await expect.poll(cut).toBe(before + 1);
  });

  it("is refused to a person who has too many open, and to nobody else", async () => {
    await expect.poll(() => web.runtime.changes.listenerCount()).toBe(0);
    const { streamsPerPerson } = web.runtime.config().config.limits;
    const streams = await Promise.all(Array.from({ length: streamsPerPerson }, () => open()));
    const refused = await GET(web.request("/api/v1/stream", { as: "viewer" }));
    expect(refused.status).toBe(429);
    expect(refused.headers.get("retry-after")).toBe("30");
    expect(await refused.json()).toMatchObject({ code: "rate_limited" });
    const other = new AbortController();
    expect((await GET(web.request("/api/v1/stream", { as: "admin", signal: other.signal }))).status).toBe(200);
    other.abort();
    streams.pop()?.close();
    await expect.poll(() => web.runtime.changes.listenerCount()).toBe(streamsPerPerson - 1);
    streams.push(await open());
    for (const stream of streams) stream.close();
    await expect.poll(() => web.runtime.changes.listenerCount()).toBe(0);
  });

  it("is not opened for HEAD, whose answer nobody reads", async () => {
    await expect.poll(() => web.runtime.changes.listenerCount()).toBe(0);
    const response = await GET(web.request("/api/v1/stream", { as: "viewer", method: "HEAD" }));
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    expect(web.runtime.changes.listenerCount()).toBe(0);
  });

  it("ends with its token, also where that address may try no more", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    try {
      await expect.poll(() => web.runtime.changes.listenerCount()).toBe(0);
      const stream = await open();
      await web.runtime.pool.query("UPDATE api_token SET revoked_at = now() WHERE token_hash = $1", [
        hashToken(web.tokens.viewer),
      ]);
      for (let count = 0; count < 30; count += 1) web.runtime.tokenLimiter.recordFailure("unknown", new Date());
      vi.advanceTimersByTime(30_000);
      for (;;) if ((await stream.next()) === undefined) break;
      expect(web.runtime.changes.listenerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
      await web.runtime.pool.query("UPDATE api_token SET revoked_at = NULL");
      web.runtime.tokenLimiter.reset("unknown");
    }
  });

  it("ends when the process stops", async () => {
    const stream = await open();
    await web.runtime.changes.close();
    for (;;) if ((await stream.next()) === undefined) break;
    expect(web.runtime.changes.listenerCount()).toBe(0);
  });
});
