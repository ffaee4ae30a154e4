import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ClusterClient } from "#lib/server/clusters/kubernetes/cluster-client-types.ts";
import { bindings, configOf, createToken, type Person } from "#test/hardening/people.ts";
import { plantSeed, type Seed } from "#test/hardening/seed.ts";
import { createTestPool } from "#test/test-pool.ts";
import { startTestWeb, type TestWeb, testOrigin } from "#test/web-runtime.ts";
import { GET as getMetrics } from "../../metrics/route.ts";
import { GET as getStatus } from "../../status/route.ts";
import { GET as listApprovals } from "./approvals/route.ts";
import { GET as listClusters } from "./clusters/route.ts";
import { GET as getMe } from "./me/route.ts";
import { GET as listHeld } from "./sources/held/route.ts";
import { GET as listSources } from "./sources/route.ts";

/** Tests which facts about a cluster a user with rights to only a part may learn. */

const address = "10.11.12.13:6443";
/** Too long to occur in an id or a time by accident. */
const objects = 1_947_114_711;
let web: TestWeb;
let seed: Seed;
beforeAll(async () => {
  const cluster = { name: "demo", server: `https://${address}`, request: () => Promise.reject(new Error("x")) };
  const { auth, ...config } = configOf({ clusters: [{ name: "demo", server: cluster.server, access: "read" }] });
  const narrow = { role: "viewer", users: ["oneRollout"], namespaces: ["payments"], rollouts: ["nothing-*"] };
  const kinds = [
    { role: "viewer", users: ["rollouts"], rollouts: ["Rollout/*"] },
    { role: "viewer", users: ["canaries"], rollouts: ["Canary/*"] },
  ];
  web = await startTestWeb({
    config: { ...config, auth: { ...auth, roles: [...bindings, narrow, ...kinds] } },
    clusters: { demo: cluster as unknown as ClusterClient },
  });
  seed = await plantSeed(web);
  const owner = createTestPool(web.database.ownerUrl);
  await owner.query("UPDATE source SET objects = $1, last_error = $2", [objects, `connect ECONNREFUSED ${address}`]);
  await owner.query(
    `INSERT INTO source_hold (source_id, id, reason, since, objects)
     SELECT id, gen_random_uuid(), 'shrink', now(), jsonb_build_object($1::text, '{}'::jsonb, 'unknown-uid', '{}'::jsonb) FROM source`,
    [seed.rolloutUid],
  );
  await owner.end();
});
afterAll(() => web.close());

type Handler = (request: Request) => Promise<Response>;
type Somebody = Person | "oneRollout" | "rollouts" | "canaries";
async function ask(handler: Handler, path: string, person: Somebody): Promise<Response> {
  const { token } = await createToken(web, { username: person, role: "viewer" });
  return handler(new Request(testOrigin + path, { headers: { authorization: `Bearer ${token}` } }));
}

const routes: { path: string; handler: Handler }[] = [
  { path: "/api/v1/clusters", handler: listClusters },
  { path: "/api/v1/sources", handler: listSources },
  { path: "/api/v1/sources/held", handler: listHeld },
  { path: "/api/v1/me", handler: getMe },
  { path: "/status", handler: getStatus },
];

describe("somebody whose rights reach a part of a cluster", () => {
  it.each(routes.flatMap((route) => (["outsider", "oneRollout"] as const).map((person) => ({ ...route, person }))))(
    "learns from $path no address, no count and no name beyond it ($person)",
    async ({ path, handler, person }) => {
      const response = await ask(handler, path, person);
      expect(response.status).toBe(200);
      const text = await response.text();
      for (const secret of ["10.11.12.13", ":6443", String(objects), seed.marker, seed.rolloutUid, "unknown-uid"])
        expect(text).not.toContain(secret);
    },
  );

  it("learns how many objects are held of those that they may read", async () => {
    const counts = async (person: Person | "oneRollout") => {
      const { items } = await (await ask(listSources, "/api/v1/sources", person)).json();
      return items.map((item: { hold: { count: number }; objects: number | null }) => [item.hold.count, item.objects]);
    };
    expect(await counts("outsider")).toEqual([[0, null]]);
    expect(await counts("scopedAdmin")).toEqual([[1, null]]);
    expect(await counts("viewer")).toEqual([[2, objects]]);
  });

  it("gets no metrics", async () => {
    const response = await ask(getMetrics, "/metrics", "outsider");
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ code: "forbidden" });
    expect((await ask(getMetrics, "/metrics", "viewer")).status).toBe(200);
  });
});

describe("somebody whose rights are for one kind", () => {
  it.each<[Somebody, number]>([
    ["rollouts", 1],
    ["canaries", 0],
  ])("sees approvals, counts and held objects of that kind alone (%s)", async (person, count) => {
    const itemsOf = async (handler: Handler, path: string) => (await (await ask(handler, path, person)).json()).items;
    expect(await itemsOf(listApprovals, "/api/v1/approvals")).toHaveLength(count);
    expect(await itemsOf(listHeld, "/api/v1/sources/held")).toHaveLength(count);
    expect(await itemsOf(listClusters, "/api/v1/clusters")).toEqual([expect.objectContaining({ rollouts: count })]);
  });
});

describe("somebody who may read the whole cluster", () => {
  it.each([
    { path: "/api/v1/clusters", handler: listClusters, holds: [address] },
    { path: "/api/v1/sources", handler: listSources, holds: [address, String(objects)] },
    { path: "/status", handler: getStatus, holds: [address, String(objects)] },
  ])("learns all of it from $path", async ({ path, handler, holds }) => {
    const text = await (await ask(handler, path, "viewer")).text();
    for (const part of holds) expect(text).toContain(part);
  });
});
