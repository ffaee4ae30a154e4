import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { type WhoMay, WhoMayQuery } from "#lib/contract/admin-access.ts";
import { whoMay } from "#lib/server/admin/who-may.ts";
import { type ActingWorld, actorOf, createActingWorld, failureOf } from "#test/acting-world.ts";

let world: ActingWorld;

beforeAll(async () => {
  world = await createActingWorld();
  await signIn("ann", ["payments"]);
  await signIn("bob", ["shop"]);
  await signIn("eve", []);
});
afterEach(() => {
  world.setRoles([]);
  world.setPolicies({});
});
afterAll(() => world.close());

async function signIn(username: string, groups: string[]): Promise<string> {
  const user = randomUUID();
  await world.owner.query(
    "INSERT INTO user_account (id, issuer, subject, name) VALUES ($1, 'https://issuer.example', $2, $2)",
    [user, username],
  );
  await world.owner.query(
    `INSERT INTO user_session (id, user_id, username, groups, idle_expires_at, absolute_expires_at)
     VALUES ($1, $2, $3, $4, now(), now())`,
    [randomUUID(), user, username, groups],
  );
  return user;
}

async function ask(query: Record<string, string>): Promise<WhoMay> {
  return whoMay({ ctx: world.contextOf(actorOf("admin")), input: WhoMayQuery.parse(query) });
}

const extents = ({ subjects }: WhoMay) =>
  Object.fromEntries(subjects.map(({ kind, name, extent }) => [`${kind} ${name}`, extent]));

it("lists the people whose last groups grant the action there, and the bindings", async () => {
  world.setRoles([
    { role: "operator", groups: ["payments"], namespaces: ["payments"] },
    { role: "operator", groups: ["shop"], namespaces: ["payments"], rollouts: ["shop-*"], actions: ["abort"] },
    { role: "viewer", users: ["eve"] },
  ]);
  const answer = await ask({ action: "abort", namespace: "payments" });
  expect(extents(answer)).toEqual({ "person ann": "all", "person bob": "some" });
  expect(answer.bindings).toEqual([
    { path: "auth.roles[0]", extent: "all" },
    { path: "auth.roles[1]", extent: "some" },
  ]);
  expect(extents(await ask({ action: "retry", namespace: "payments" }))).toEqual({ "person ann": "all" });
  expect(extents(await ask({ action: "abort", namespace: "payments", name: "shop-api" }))).toEqual({
    "person ann": "all",
    "person bob": "all",
  });
  expect(extents(await ask({ action: "abort", namespace: "elsewhere" }))).toEqual({});
  expect(extents(await ask({ action: "abort" }))).toEqual({ "person ann": "some", "person bob": "some" });
});

it("limits a token to its role and to the bindings that name it", async () => {
  const robot = randomUUID();
  await world.owner.query(
    "INSERT INTO user_account (id, issuer, subject, name) VALUES ($1, 'gatehouse:robot', 'ci', 'ci')",
    [robot],
  );
  const add = async (name: string, role: string) => {
    const id = randomUUID();
    await world.owner.query(
      `INSERT INTO api_token (id, owner_id, name, username, role, token_hash, groups)
       VALUES ($1, $2, $3, 'ci', $4, $5, '{}')`,
      [id, robot, name, role, id],
    );
    return id;
  };
  const narrow = await add("narrow", "operator");
  await add("reader", "viewer");
  await add("full", "operator");
  world.setRoles([
    { role: "operator", robots: ["ci"] },
    { role: "operator", tokens: [narrow], namespaces: ["payments"] },
  ]);
  expect(extents(await ask({ action: "abort", namespace: "payments" }))).toEqual({
    "robot ci": "all",
    "token narrow": "all",
    "token full": "all",
  });
  expect(extents(await ask({ action: "abort", namespace: "shop" }))).toEqual({
    "robot ci": "all",
    "token full": "all",
  });
});

it("names the rules that require another person's approval there", async () => {
  world.setPolicies({ secondPerson: [{ name: "four eyes", namespaces: ["pay*"] }] });
  expect((await ask({ action: "continue", namespace: "payments" })).secondPerson).toEqual([
    { path: "policies.secondPerson[0]", name: "four eyes" },
  ]);
  expect((await ask({ action: "continue", namespace: "shop" })).secondPerson).toEqual([]);
  expect((await ask({ action: "abort", namespace: "payments" })).secondPerson).toEqual([]);
});

it("answers only an admin for everything", async () => {
  for (const role of ["viewer", "operator"] as const) {
    const ctx = world.contextOf(actorOf(role));
    expect(await failureOf(whoMay({ ctx, input: { action: "abort" } }))).toMatchObject({ code: "forbidden" });
  }
});
