import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ClusterClient } from "#lib/server/clusters/kubernetes/cluster-client-types.ts";
import { startTestWeb, type TestWeb } from "#test/web-runtime.ts";
import { GET } from "../rollouts/[cluster]/[namespace]/[kind]/[name]/object/route.ts";

let web: TestWeb;
let spec: unknown;
const metadata = { name: "checkout", annotations: { "api-token": "hunter2-hunter2" } };
const client = {
  name: "demo",
  request: async () => ({ status: 200, json: { kind: "Rollout", metadata, spec }, text: "", date: undefined }),
} as unknown as ClusterClient;

beforeAll(async () => {
  web = await startTestWeb({ clusters: { demo: client } });
});
afterAll(() => web.close());

async function read(more: unknown): Promise<{ status: number; body: Record<string, unknown> }> {
  spec = { more };
  const params = { cluster: "demo", namespace: "shop", kind: "Rollout", name: "checkout" };
  const path = `/api/v1/rollouts/${Object.values(params).join("/")}/object`;
  const response = await GET(web.request(path, { as: "operator" }), { params: Promise.resolve(params) });
  return { status: response.status, body: await response.json() };
}

const large = "hunter2-hunter2 ".repeat(150_000);

describe("a large live object", () => {
  it.each([
    [
      "nested too deeply",
      JSON.parse("[".repeat(50_000) + "]".repeat(50_000)),
      "spec.more is nested more than 100 levels",
    ],
    ["too long", "x".repeat(3_300_000), "most of them in spec.more"],
  ])("is not shown if it is %s, and the answer says why", async (_, more, why) => {
    const { status, body } = await read(more);
    expect(status).toBe(503);
    expect(body).toMatchObject({ code: "unavailable", detail: expect.stringContaining(why) });
    expect(body.detail).toContain("Read it with kubectl");
  });

  it("is redacted by a thread, and not shown if that takes too long", async () => {
    const { evaluations } = web.runtime;
    const asked: unknown[] = [];
    const run: typeof evaluations.run = (name, input, request) => {
      asked.push(name);
      return evaluations.run(name, input, asked.length === 1 ? request : { ...request, limitMs: 0 });
    };
    web.runtime.evaluations = { ...evaluations, run };
    try {
      const shown = await read(large);
      expect(shown.status).toBe(200);
      expect(JSON.stringify(shown.body)).not.toContain("hunter2");
      expect(JSON.stringify(shown.body.spec)).toContain("[redacted] [redacted]");
      const hidden = await read(large);
      expect(hidden.status).toBe(503);
      expect(hidden.body.detail).toContain("could not be redacted within 5 seconds");
      expect(asked).toEqual(["redact", "redact"]);
      expect((await read("small")).status).toBe(200);
      expect(asked).toHaveLength(2);
    } finally {
      web.runtime.evaluations = evaluations;
    }
  });
});
