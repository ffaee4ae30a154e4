import type { Pool } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ListPage } from "#lib/contract/common.ts";
import type { RolloutSummary } from "#lib/contract/rollout.ts";
import { findTeam, teamsOf } from "#lib/domain/policy/find-team.ts";
import { isInScope } from "#lib/domain/policy/rights.ts";
import { getInbox } from "#lib/server/pages/inbox/get-inbox.ts";
import { getMe } from "#lib/server/pages/me/get-me.ts";
import { listReleases } from "#lib/server/pages/release/list-releases.ts";
import { countRollouts, listRollouts } from "#lib/server/pages/rollout/list-rollouts.ts";
import type { Actor } from "#lib/server/platform/actor/actor.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";
import { actorOf } from "#test/acting-world.ts";
import { keepQueries } from "#test/explain-query.ts";
import { plantLists } from "#test/list-rows.ts";
import { createTestPool } from "#test/test-pool.ts";
import { startTestWeb, type TestWeb } from "#test/web-runtime.ts";

const teams = [
  { name: "Platform", groups: ["platform"], labels: { tier: "0" }, onCall: "https://oncall.example.com/platform" },
  { name: "West", groups: ["west", "all"], clusters: ["us"], namespaces: ["ns-1", "ns-2"] },
  { name: "Canaries", rollouts: ["Canary/*"] },
  { name: "Under_score", rollouts: ["app_*"] },
  { name: "East", groups: ["east"], clusters: ["e?"] },
  { name: "Platform 1", groups: ["platform"], labels: { tier: "1", part: 'a"b\\c' }, namespaces: ["ns-*"] },
  { name: "Rest", groups: ["rest"] },
  { name: "Nothing left" },
];

const sets = [
  { name: "canaries of the west", clusters: ["us"], rollouts: ["Canary/*"], together: true },
  { name: "app_", rollouts: ["app_*"] },
  { name: "some", namespaces: ["ns-1", "ns-2"] },
];

let web: TestWeb;
let owner: Pool;
let rollouts: Pick<RolloutSummary, "cluster" | "namespace" | "kind" | "name" | "labels">[];
beforeAll(async () => {
  web = await startTestWeb({ config: { teams, sets, recording: { labels: ["tier", "part"] } } });
  owner = createTestPool(web.database.ownerUrl);
  await plantLists(owner);
  await owner.query(
    `UPDATE rollout SET labels = CASE WHEN name ~ '[05]$' THEN '{"tier": "0"}'
       WHEN name ~ '[17]$' THEN jsonb_build_object('tier', '1', 'part', $1::text)
       WHEN name ~ '3$' THEN '{"tier": "1"}' ELSE '{}'::jsonb END`,
    ['a"b\\c'],
  );
  rollouts = (await owner.query("SELECT cluster, namespace, kind, name, labels FROM rollout")).rows;
});
afterAll(async () => {
  await owner.end();
  await web.close();
});

const contextOf = (change: Partial<Actor> = {}): ServiceContext => ({
  runtime: web.runtime,
  actor: { ...actorOf("viewer"), ...change },
  requestId: "test",
});

async function readAll<Item>(read: (cursor: string | undefined) => Promise<ListPage<Item>>): Promise<Item[]> {
  const items: Item[] = [];
  let cursor: string | undefined;
  do {
    const page = await read(cursor);
    items.push(...page.items);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return items;
}

const listed = async (filters: { team?: string; set?: string; label?: string }, ctx = contextOf()): Promise<string[]> =>
  (await readAll((cursor) => listRollouts({ ctx, input: { limit: 3, cursor, ...filters } }))).map(({ name }) => name);

const owned = (team: string): string[] =>
  rollouts
    .filter((each) => findTeam(teamsOf(web.runtime.config().config), each)?.name === team)
    .map(({ name }) => name);

describe("the owner of a rollout", () => {
  it.each(teams.map(({ name }) => name))("is by the database the same as by the rule, over pages: %s", async (team) => {
    expect((await listed({ team })).toSorted()).toEqual(owned(team).toSorted());
  });

  it("is somebody for each of these rollouts, by teams of which most own something", () => {
    const counts = teams.map(({ name }) => owned(name).length);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(rollouts.length);
    expect(counts.map((count) => count > 0)).toEqual([true, true, false, false, true, true, true, false]);
  });

  it("is named in the list, in releases and in the inbox", async () => {
    const ctx = contextOf();
    const { items } = await listRollouts({ ctx, input: { limit: 200 } });
    expect(new Map(items.map(({ name, team }) => [name, team]))).toEqual(
      new Map(rollouts.map((each) => [each.name, findTeam(teamsOf(web.runtime.config().config), each)?.name])),
    );
    const releases = await listReleases({ ctx, input: { limit: 200 } });
    expect(releases.items.filter(({ team }) => team === "West")).toHaveLength(owned("West").length);
    const inbox = await getInbox({ ctx, input: { limit: 200, answered: "false", team: "East" } });
    expect(new Set(inbox.items.map(({ rollout }) => rollout.team))).toEqual(new Set(["East"]));
  });

  it("of an unknown team: nothing", async () => {
    expect(await listed({ team: "Nowhere" })).toEqual([]);
  });

  it("filters the counts too", async () => {
    const { needs } = await countRollouts({ ctx: contextOf(), input: { team: "Rest" } });
    expect(Object.values(needs).reduce((sum, count) => sum + count, 0)).toBe(owned("Rest").length);
  });

  it("gives no right", async () => {
    const scope = { clusters: ["eu"], namespaces: ["*"], rollouts: ["*"] };
    const rights = {
      grants: [{ role: "viewer" as const, scope, actions: ["*"], breakGlass: false }],
      cap: "viewer" as const,
    };
    const ctx = contextOf({ rights, groups: ["west"] });
    expect(await listed({ team: "West" }, ctx)).toEqual([]);
    expect((await getMe({ ctx })).teams.map(({ name }) => name)).not.toContain("West");
  });
});

describe("the inbox of one's own teams", () => {
  it.each([
    { groups: ["west"], own: ["West"] },
    { groups: ["all", "platform"], own: ["Platform", "West", "Platform 1"] },
    { groups: ["nobody"], own: [] },
  ])("has the rollouts of $own for a person of $groups", async ({ groups, own }) => {
    const ctx = contextOf({ groups });
    const read = (mine?: "true") => (cursor: string | undefined) =>
      getInbox({ ctx, input: { limit: 4, answered: "false", cursor, mine } });
    const [all, mine] = await Promise.all([readAll(read()), readAll(read("true"))]);
    const expected = all.filter(({ rollout: { team } }) => team !== null && own.includes(team));
    expect(mine.map(({ rollout }) => rollout.id)).toEqual(expected.map(({ rollout }) => rollout.id));
    expect(mine.length > 0).toBe(own.length > 0);
    const { teams: known } = await getMe({ ctx });
    expect(known.filter(({ isMine }) => isMine).map(({ name }) => name)).toEqual(own);
  });
});

describe("a set of the config", () => {
  it.each(sets.map(({ name }) => name))("filters the list, its counts and the inbox: %s", async (name) => {
    const ctx = contextOf();
    const set = web.runtime.config().config.sets.find((each) => each.name === name);
    const members = rollouts.filter((each) => set !== undefined && isInScope(set, each));
    expect((await listed({ set: name })).toSorted()).toEqual(members.map((each) => each.name).toSorted());
    const { needs } = await countRollouts({ ctx, input: { set: name } });
    expect(Object.values(needs).reduce((sum, count) => sum + count, 0)).toBe(members.length);
    const read = (set?: string) => getInbox({ ctx, input: { limit: 200, answered: "false", set } });
    const [all, own] = await Promise.all([read(), read(name)]);
    const isMember = ({ rollout }: (typeof all.items)[number]) => set !== undefined && isInScope(set, rollout);
    expect(own.items.map(({ rollout }) => rollout.id)).toEqual(
      all.items.filter(isMember).map((each) => each.rollout.id),
    );
    expect((await getMe({ ctx })).sets).toContain(name);
  });

  it("without members, or unknown: nothing; and its name is told to those who may read in its scope", async () => {
    expect(await listed({ set: "nowhere" })).toEqual([]);
    const scope = { clusters: ["eu"], namespaces: ["*"], rollouts: ["*"] };
    const rights = {
      grants: [{ role: "viewer" as const, scope, actions: ["*"], breakGlass: false }],
      cap: "viewer" as const,
    };
    const ctx = contextOf({ rights });
    expect((await getMe({ ctx })).sets).toEqual(["app_", "some"]);
    expect(await listed({ set: "canaries of the west" }, ctx)).toEqual([]);
  });
});

describe("a label", () => {
  const labelled = (condition: (labels: Record<string, string>) => boolean) =>
    rollouts.filter(({ labels }) => condition(labels)).map(({ name }) => name);

  it.each([
    { label: "tier=1", names: () => labelled(({ tier }) => tier === "1") },
    { label: "tier", names: () => labelled(({ tier }) => tier !== undefined) },
    { label: 'part=a"b\\c', names: () => labelled(({ part }) => part === 'a"b\\c') },
    { label: "tier=", names: () => [] },
    { label: "=1", names: () => [] },
    { label: "", names: () => [] },
    { label: "other=1", names: () => [] },
    { label: "__proto__=1", names: () => [] },
    { label: "tier=%", names: () => [] },
  ])("filters the list: $label", async ({ label, names }) => {
    expect((await listed({ label })).toSorted()).toEqual(names().toSorted());
  });

  it("filters the inbox, and is in its rows", async () => {
    const { items } = await getInbox({ ctx: contextOf(), input: { limit: 200, answered: "false", label: "tier=1" } });
    expect(items.length).toBeGreaterThan(0);
    expect(new Set(items.map(({ rollout }) => rollout.labels.tier))).toEqual(new Set(["1"]));
  });

  it("is found by its index among many rollouts", async () => {
    await owner.query("ANALYZE rollout");
    const { pool, asked } = keepQueries(web.runtime.pool);
    await listRollouts({
      ctx: { ...contextOf(), runtime: { ...web.runtime, pool } },
      input: { limit: 3, label: "tier=1" },
    });
    const [query] = asked;
    const client = await owner.connect();
    try {
      await client.query("BEGIN; SET LOCAL enable_seqscan = off; SET LOCAL enable_indexscan = off");
      const { rows } = await client.query<{ "QUERY PLAN": string }>(`EXPLAIN ${query?.text}`, query?.values);
      expect(rows.map((row) => row["QUERY PLAN"]).join("\n")).toContain("rollout_labels_idx");
    } finally {
      await client.query("ROLLBACK");
      client.release();
    }
  });
});
