import { describe, expect, it } from "vitest";
import { createClient, each, expectationOf, isGatehouseError, readLines } from "./index.ts";

type Sent = { url: string; init: RequestInit };

/** A client whose requests are answered by `answer`, and what was sent. */
function clientOf(answer: (sent: Sent) => Response | Promise<Response>, options: { timeoutMs?: number } = {}) {
  const sent: Sent[] = [];
  const client = createClient({
    url: "https://example.com/gatehouse/",
    token: async () => "ght_x",
    ...options,
    fetch: (url, init = {}) => {
      const one = { url: String(url), init };
      sent.push(one);
      return Promise.resolve(answer(one));
    },
  });
  return { client, sent };
}

const problem = (status: number, body: object, headers = {}) =>
  new Response(JSON.stringify(body), { status, headers: { "x-request-id": "r-1", ...headers } });
const path = { cluster: "prod", namespace: "a/b", kind: "Rollout", name: "é" } as const;

describe("a request", () => {
  it("has the path, the query without what is undefined, and the token, and follows no redirect", async () => {
    const { client, sent } = clientOf(() => Response.json({ items: [], nextCursor: null }));
    await client.listRolloutReleases({ path, query: { limit: 5, cursor: undefined } });
    const [{ url, init } = { url: "", init: {} }] = sent;
    expect(url).toBe("https://example.com/gatehouse/api/v1/rollouts/prod/a%2Fb/Rollout/%C3%A9/releases?limit=5");
    expect(new Headers(init.headers).get("authorization")).toBe("Bearer ght_x");
    expect(init).toMatchObject({ method: "GET", redirect: "error" });
    expect(init.body).toBeUndefined();
  });

  it("has the body as JSON, and the header of the operation", async () => {
    const { client, sent } = clientOf(() => Response.json({}));
    const body = { action: "abort", expect: { viewDigest: "d" } } as const;
    await client.actOnRollout({ path, body, header: { "Idempotency-Key": "k" } });
    const headers = new Headers(sent[0]?.init.headers);
    expect([headers.get("content-type"), headers.get("idempotency-key")]).toEqual(["application/json", "k"]);
    expect(JSON.parse(String(sent[0]?.init.body))).toEqual(body);
  });

  it.each(["..", ".", ""])("never has the path %j, which would be another one", async (name) => {
    const { client, sent } = clientOf(() => Response.json({}));
    await expect(client.getRollout({ path: { ...path, name } })).rejects.toThrow(TypeError);
    expect(sent).toEqual([]);
  });
});

describe("a failure", () => {
  it("has the code, the request and the whole problem", async () => {
    const body = { code: "stale_view", detail: "It has changed.", changes: [{ field: "step", seen: 1, now: 2 }] };
    const { client } = clientOf(() => problem(409, body));
    const error = await client.getMe().catch((thrown: unknown) => thrown);
    expect(isGatehouseError(error, "stale_view")).toBe(true);
    expect(isGatehouseError(error, "conflict")).toBe(false);
    expect(error).toMatchObject({
      status: 409,
      message: body.detail,
      requestId: "r-1",
      problem: body,
      isTransient: false,
    });
  });

  it.each([
    {
      name: "a busy server",
      answer: () => problem(429, { code: "rate_limited", detail: "d" }, { "retry-after": "7" }),
      is: { code: "rate_limited", retryAfterSeconds: 7, isTransient: true },
    },
    {
      name: "the page of a proxy",
      answer: () => new Response("<html>", { status: 502 }),
      is: { code: "unreadable", isTransient: true, message: "The server answered 502 without saying why." },
    },
    {
      name: "an answer that is no JSON",
      answer: () => new Response("<html>"),
      is: { code: "unreadable", status: 200, isTransient: false },
    },
    {
      name: "no answer",
      answer: () => Promise.reject(new TypeError("fetch failed")),
      is: { code: "network", status: 0, isTransient: true },
    },
  ])("tells $name apart", async ({ answer, is }) => {
    await expect(clientOf(answer).client.getMe()).rejects.toMatchObject(is);
  });

  it("is a timeout if nothing comes in time, and the caller's own reason if they abort", async () => {
    const never = ({ init: { signal } }: Sent) =>
      new Promise<Response>((_, reject) => {
        if (signal?.aborted) reject(signal.reason);
        signal?.addEventListener("abort", () => reject(signal.reason));
      });
    await expect(clientOf(never, { timeoutMs: 5 }).client.getMe()).rejects.toMatchObject({
      code: "timeout",
      isTransient: true,
    });
    const own = new AbortController();
    const asked = clientOf(never).client.getMe({ signal: own.signal });
    own.abort(new Error("the person left"));
    await expect(asked).rejects.toThrow("the person left");
  });
});

it("reads a list page by page, and no further than it is asked to", async () => {
  const pages: Record<string, object> = {
    "": { items: [1, 2], nextCursor: "b" },
    b: { items: [3], nextCursor: "c" },
    c: { items: [4], nextCursor: null },
  };
  const { client, sent } = clientOf(({ url }) => Response.json(pages[new URL(url).searchParams.get("cursor") ?? ""]));
  const all: unknown[] = [];
  for await (const item of each(client.listRollouts, { query: { namespace: "a" } })) all.push(item);
  expect(all).toEqual([1, 2, 3, 4]);
  expect(sent.every(({ url }) => new URL(url).searchParams.get("namespace") === "a")).toBe(true);
  sent.length = 0;
  for await (const _ of each(client.listClusters)) break;
  expect(sent).toHaveLength(1);
});

it("answers with the response of a table, and reads lines however they are cut", async () => {
  const text = '{"seq":1}\n{"seq":2,"x":"é"}\n{"seq":3}';
  const bytes = new TextEncoder().encode(text);
  for (const size of [1, 4, bytes.length]) {
    const body = new ReadableStream({
      start: (controller) => {
        for (let from = 0; from < bytes.length; from += size) controller.enqueue(bytes.slice(from, from + size));
        controller.close();
      },
    });
    const { client, sent } = clientOf(() => new Response(body));
    const lines: { seq: number }[] = [];
    for await (const line of readLines<{ seq: number }>(await client.exportAudit())) lines.push(line);
    expect(lines.map(({ seq }) => seq)).toEqual([1, 2, 3]);
    expect(new Headers(sent[0]?.init.headers).get("accept")).toBe("application/x-ndjson, text/csv");
  }
});

it("sends back what was seen: the plan's view, else the rollout's", () => {
  const seen = { viewDigest: "a", uid: "u", revisionKey: "r" };
  expect(expectationOf(seen, { view: null })).toEqual(seen);
  const view = { ...seen, viewDigest: "b" };
  expect(expectationOf(seen, { view, passesPauses: [2], targetVersion: "t" })).toEqual({
    ...view,
    passesPauses: [2],
    targetVersion: "t",
  });
});
