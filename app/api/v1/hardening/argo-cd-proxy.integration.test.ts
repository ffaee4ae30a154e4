import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { endpoints } from "#lib/contract/endpoint-table.ts";
import { askRoute } from "#test/hardening/ask-route.ts";
import { configOf, createToken, ownNamespace } from "#test/hardening/people.ts";
import type { Name } from "#test/hardening/route-rows.ts";
import { plantSeed, type Seed } from "#test/hardening/seed.ts";
import { startTestWeb, type TestWeb, testOrigin } from "#test/web-runtime.ts";
import { POST as callAgents } from "../../../mcp/route.ts";
import { GET as listRollouts } from "../rollouts/route.ts";

/** Requests as Argo CD's proxy forwards them: its own headers, the page's, and the token of its config. */

let web: TestWeb;
let seed: Seed;
let admin: string;
beforeAll(async () => {
  web = await startTestWeb({ config: configOf() });
  seed = await plantSeed(web);
  admin = (await createToken(web, { username: "admin" })).token;
});
afterAll(() => web.close());

const forwarded = {
  "argocd-application-name": "argocd:shop",
  "argocd-project-name": "default",
  "argocd-namespace": "argocd",
  "argocd-target-cluster-name": "in-cluster",
  "argocd-target-cluster-url": "https://kubernetes.default.svc",
  "argocd-username": "admin",
  "argocd-user-id": "admin",
  "argocd-user-groups": "admins,gatehouse-admins",
  host: "gatehouse.gatehouse.svc:7460",
  origin: "https://argocd.example.com",
  referer: "https://argocd.example.com/applications/argocd/shop",
  "sec-fetch-site": "same-origin",
  "x-forwarded-for": "192.0.2.7",
};
const headersOf = (token: string) => ({ ...forwarded, authorization: `Bearer ${token}` });
const reads: readonly Name[] = ["listRollouts", "getRollout"];
const names = Object.keys(endpoints) as Name[];
const acts = names.filter((name) => endpoints[name].method !== "GET" && endpoints[name].role !== "viewer");

describe("through Argo CD's proxy", () => {
  it("the extension reads what its token may read", async () => {
    const { token } = await createToken(web, { username: "viewer", role: "viewer" });
    const query = new URLSearchParams({ namespace: ownNamespace, kind: "Rollout", q: seed.path.name, limit: "200" });
    const request = new Request(`${testOrigin}/api/v1/rollouts?${query}`, { headers: headersOf(token) });
    const list = await listRollouts(request);
    expect(list.headers.get("cache-control")).toBe("no-store");
    expect(await list.json()).toMatchObject({ items: [{ uid: seed.rolloutUid }], nextCursor: null });
    const detail = await askRoute("getRollout", { seed, headers: headersOf(token) });
    expect(await detail.json()).toMatchObject({ uid: seed.rolloutUid });
  });

  it("the names of the person and of the groups give no rights", async () => {
    const { token } = await createToken(web, { username: "outsider", role: "viewer" });
    const list = await listRollouts(new Request(`${testOrigin}/api/v1/rollouts`, { headers: headersOf(token) }));
    expect(await list.json()).toEqual({ items: [], nextCursor: null });
    expect((await askRoute("getRollout", { seed, headers: headersOf(token) })).status).toBe(404);
    expect((await listRollouts(new Request(`${testOrigin}/api/v1/rollouts`, { headers: forwarded }))).status).toBe(401);
  });

  it.each(names.filter((name) => !reads.includes(name)))("%s is refused, even with an admin's token", async (name) => {
    const response = await askRoute(name, { seed, headers: headersOf(admin) });
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ code: "forbidden", detail: expect.stringContaining("Argo CD") });
  });

  it("agents that keep the header are refused", async () => {
    const init = { method: "POST", headers: headersOf(admin), body: "{}" };
    expect((await callAgents(new Request(`${testOrigin}/mcp`, init))).status).toBe(403);
  });
});

/** The proxy removes headers that the client names in `Connection`: only the token's rights are left. */
describe("without any header of Argo CD", () => {
  let viewer: string;
  beforeAll(async () => {
    viewer = (await createToken(web, { username: "viewer", role: "viewer" })).token;
  });

  it.each([...acts, "createToken"] as const)("%s is refused to a viewer's token", async (name) => {
    const headers = { authorization: `Bearer ${viewer}`, "content-type": "application/json" };
    const response = await askRoute(name, { seed, headers });
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ code: "forbidden" });
  });
});
