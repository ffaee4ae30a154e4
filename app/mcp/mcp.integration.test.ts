import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { notice } from "#lib/mcp/answer-agent.ts";
import { tools, writingTools } from "#lib/mcp/tools.ts";
import { type Agent, agentTransports, connectAgent } from "#test/agent-client.ts";
import { liveObjectsOf } from "#test/hardening/live-objects.ts";
import { configOf, createToken, openSession, ownNamespace, ownPage } from "#test/hardening/people.ts";
import { plantSeed, type Seed } from "#test/hardening/seed.ts";
import { serveRoutes } from "#test/route-server.ts";
import { startTestWeb, type TestWeb, testOrigin } from "#test/web-runtime.ts";
import { POST } from "./route.ts";

let web: TestWeb;
let seed: Seed;
let routes: Awaited<ReturnType<typeof serveRoutes>>;
const cluster = liveObjectsOf(() => seed);

beforeAll(async () => {
  const clusters = [{ name: "demo", server: cluster.server, access: "read" }];
  web = await startTestWeb({ config: configOf({ clusters }), clusters: { demo: cluster } });
  seed = await plantSeed(web);
  routes = await serveRoutes();
});
afterAll(async () => {
  routes.close();
  await web.close();
});

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));
const one: Record<string, () => Record<string, unknown>> = {
  why: () => seed.path,
  evidence: () => ({ uid: seed.runUid }),
  measurements: () => ({ uid: seed.runUid }),
  release: () => ({ id: seed.releaseId }),
  compare: () => ({ one: seed.releaseId, other: seed.releaseId }),
  audit_entry: () => ({ seq: seed.auditSeq }),
  backtest: () => ({ runUids: [seed.runUid], metric: seed.marker, proposal: { failureLimit: 3 } }),
};

describe.each(agentTransports)("an agent over %s", (over) => {
  let viewer: Agent;
  let outsider: Agent;
  beforeAll(async () => {
    const { url } = routes;
    const tokenOf = async (username: string) => (await createToken(web, { username })).token;
    viewer = await connectAgent({ over, url, token: await tokenOf("viewer") });
    outsider = await connectAgent({ over, url, token: await tokenOf("outsider") });
  });
  afterAll(() => Promise.all([viewer.client.close(), outsider.client.close()]));

  it("is promised no news of lists", () => {
    expect(viewer.client.getServerCapabilities()).toMatchObject({
      ...{ tools: { listChanged: false }, resources: { listChanged: false } },
    });
  });

  it("finds every tool with the schemas of its arguments and its answer", async () => {
    const { tools: listed } = await viewer.client.listTools();
    expect(listed.map(({ name }) => name)).toEqual([...tools, ...writingTools].map(({ name }) => name));
    const writing = listed.filter(({ annotations }) => annotations?.readOnlyHint !== true);
    expect(writing.map(({ name }) => name)).toEqual(["propose", "withdraw_proposal", "act"]);
    for (const { name, inputSchema, outputSchema, annotations } of listed) {
      expect(inputSchema.type).toBe("object");
      expect(Object.keys(outputSchema?.properties ?? {})).toEqual(["notice", "data", "leftOut"]);
      expect(annotations).toMatchObject({ destructiveHint: name === "act" });
    }
  });

  it.each(tools.map(({ name }) => name))(
    "is answered by %s with data that is marked as such, in 8 KB",
    async (name) => {
      const input = one[name]?.() ?? {};
      const result = await viewer.client.callTool({ name, arguments: input });
      expect(result.isError ?? false).toBe(false);
      expect(result.structuredContent).toMatchObject({ notice, data: expect.anything() });
      expect(JSON.stringify(result.structuredContent)).toContain(
        name === "audit_entry" ? seed.auditedName : seed.marker,
      );
      expect(result.content).toEqual([{ type: "text", text: JSON.stringify(result.structuredContent) }]);
      expect(bytesOf(result)).toBeLessThan(8192);
    },
  );

  it("gets nothing that its token may not see", async () => {
    for (const { name } of tools) {
      const result = await outsider.client.callTool({ name, arguments: one[name]?.() ?? {} });
      const text = JSON.stringify(result);
      // A refusal names what was asked for.
      const shown = name === "why" || name === "backtest" ? [seed.viewDigest] : [seed.marker, seed.auditedName];
      for (const each of shown) expect(`${name}: ${text}`).not.toContain(each);
    }
    expect(await outsider.refusal("why", seed.path)).toMatchObject({ code: "not_found" });
  });

  it("reads the same as resources", async () => {
    const { cluster: at, namespace, kind, name } = seed.path;
    const uri = `gatehouse://rollouts/${at}/${namespace}/${kind}/${name}`;
    const { contents } = await viewer.client.readResource({ uri });
    expect(JSON.parse((contents[0] as { text: string }).text).data).toMatchObject({
      id: `${at}/${namespace}/${kind}/${name}`,
    });
    for (const other of [
      "gatehouse://inbox",
      `gatehouse://audit/${seed.auditSeq}`,
      `gatehouse://releases/${seed.releaseId}`,
    ])
      expect((await viewer.client.readResource({ uri: other })).contents).toHaveLength(1);
    await expect(outsider.client.readResource({ uri })).rejects.toThrow(/no rollout/i);
    await expect(viewer.client.readResource({ uri: "gatehouse://audit/none" })).rejects.toThrow(
      "names no such resource",
    );
  });

  it("follows a cursor", async () => {
    const first = await viewer.call("releases", { limit: 1, namespace: ownNamespace });
    const { nextCursor } = first.data as { nextCursor: string };
    const second = await viewer.call("releases", { limit: 1, namespace: ownNamespace, cursor: nextCursor });
    const idOf = ({ data }: typeof first) => (data.items as { id: string }[])[0]?.id;
    expect(new Set([idOf(first), idOf(second)]).size).toBe(2);
  });

  it("is told what is wrong with its arguments", async () => {
    expect(await viewer.refusal("releases", { cursor: "forged" })).toMatchObject({ code: "invalid_request" });
    const { isError } = await viewer.client.callTool({ name: "why", arguments: { ...seed.path, kind: "Pod" } });
    expect(isError).toBe(true);
  });
});

describe("/mcp", () => {
  const ask = (headers: Record<string, string>, body: unknown = { jsonrpc: "2.0", id: 1, method: "tools/list" }) =>
    POST(
      new Request(`${testOrigin}/mcp`, {
        method: "POST",
        headers: { ...ownPage, ...headers },
        body: JSON.stringify(body),
      }),
    );

  it("takes tokens only", async () => {
    const { cookie } = await openSession(web, "admin");
    expect((await ask({})).status).toBe(401);
    expect((await ask({ authorization: `Bearer ght_${"A".repeat(43)}` })).status).toBe(401);
    expect((await ask({ cookie })).status).toBe(401);
  });

  it("opens no stream without an end", async () => {
    const { token } = await createToken(web, { username: "viewer" });
    const headers = {
      ...{ authorization: `Bearer ${token}`, accept: "application/json, text/event-stream" },
      ...{ "mcp-protocol-version": "2026-07-28", "mcp-method": "subscriptions/listen" },
    };
    const listen = {
      ...{ jsonrpc: "2.0", id: 7, method: "subscriptions/listen" },
      params: {
        _meta: {
          "io.modelcontextprotocol/protocolVersion": "2026-07-28",
          "io.modelcontextprotocol/clientInfo": { name: "a", version: "1" },
          "io.modelcontextprotocol/clientCapabilities": {},
        },
        notifications: { toolsListChanged: true },
      },
    };
    for (const body of [listen, [{ jsonrpc: "2.0", id: 1, method: "tools/list" }, listen]]) {
      const response = await ask(headers, body);
      expect(response.headers.get("content-type")).toContain("application/json");
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({
        id: 7,
        error: { code: -32_601, message: "subscriptions/listen is not served: ask again instead." },
      });
    }
  });

  it("bounds the request", async () => {
    const { token } = await createToken(web, { username: "viewer" });
    const authorization = `Bearer ${token}`;
    expect((await ask({ authorization }, { text: "x".repeat(70_000) })).status).toBe(413);
  });
});
