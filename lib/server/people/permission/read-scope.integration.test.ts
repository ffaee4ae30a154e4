import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { everywhere, type Grant, mayRead, type Rights } from "#lib/domain/policy/rights.ts";
import { allOf } from "#lib/server/platform/db/conditions.ts";
import { readRows } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { createTestPool } from "#test/test-pool.ts";
import { isReadable, seesCluster } from "./read-scope.ts";

let database: TestDatabase;
let pool: ReturnType<typeof createTestPool>;
beforeAll(async () => {
  database = await createTestDatabase();
  pool = createTestPool(database.ownerUrl);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const places = ["prod-eu", "prod_eu", "staging", "prod%"].flatMap((cluster) =>
  ["payments", "pay", "shop"].flatMap((namespace) =>
    ["checkout", "cart", "a\\b"].flatMap((name) =>
      ["Rollout", "Canary", null].map((kind) => ({ cluster, namespace, kind, name })),
    ),
  ),
);
const grant = (change: Partial<Grant["scope"]>): Grant => ({
  role: "viewer",
  scope: { ...everywhere, ...change },
  actions: ["*"],
  breakGlass: false,
});

describe("isReadable", () => {
  it.each<[string, Rights]>([
    ["everything", { grants: [grant({})], cap: "admin" }],
    ["nothing", { grants: [], cap: "admin" }],
    ["a pattern of clusters", { grants: [grant({ clusters: ["prod-*"] })], cap: "admin" }],
    ["LIKE's own characters are plain", { grants: [grant({ clusters: ["prod_eu", "prod%"] })], cap: "admin" }],
    ["a backslash is plain", { grants: [grant({ rollouts: ["a\\?"] })], cap: "admin" }],
    ["one character", { grants: [grant({ namespaces: ["pa?"] })], cap: "admin" }],
    ["kind and name", { grants: [grant({ rollouts: ["Canary/c*", "*/cart"] })], cap: "admin" }],
    ["a kind, and a name of any kind", { grants: [grant({ rollouts: ["Roll*/check*", "cart"] })], cap: "admin" }],
    ["an empty list", { grants: [grant({ rollouts: [] })], cap: "admin" }],
    [
      "two grants",
      { grants: [grant({ clusters: ["staging"] }), grant({ namespaces: ["shop"], rollouts: ["c*t"] })], cap: "admin" },
    ],
    [
      "a narrowed token",
      { grants: [grant({ clusters: ["prod*"] })], tokenGrants: [grant({ namespaces: ["shop"] })], cap: "admin" },
    ],
    ["a token narrowed to nothing", { grants: [grant({})], tokenGrants: [grant({ clusters: [] })], cap: "admin" }],
  ])("%s: the database and the pure rule agree", async (_name, rights) => {
    type Place = (typeof places)[number];
    const source = sql<Place>`jsonb_to_recordset(${JSON.stringify(places)}::jsonb)`;
    const query = tables
      .selectFrom(source.as<"p">(sql`p(cluster text, namespace text, kind text, name text)`))
      .selectAll()
      .where(({ ref }) =>
        allOf([
          isReadable(rights, {
            cluster: ref("cluster"),
            namespace: ref("namespace"),
            kind: ref("kind"),
            name: ref("name"),
          }),
        ]),
      );
    const rows = await readRows(pool, query);
    expect(rows).toEqual(places.filter((place) => mayRead(rights, place)));
  });
});

describe("seesCluster", () => {
  it("is true where any grant reaches into it", () => {
    const rights: Rights = { grants: [grant({ clusters: ["prod-*"], namespaces: ["payments"] })], cap: "viewer" };
    expect(seesCluster(rights, "prod-eu")).toBe(true);
    expect(seesCluster(rights, "staging")).toBe(false);
    expect(seesCluster({ ...rights, tokenGrants: [grant({ clusters: ["staging"] })] }, "prod-eu")).toBe(false);
  });
});
