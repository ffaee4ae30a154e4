import type { Pool } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runSorts } from "#lib/contract/analysis-run.ts";
import { experimentSorts } from "#lib/contract/experiment.ts";
import type { RolloutSummary } from "#lib/contract/rollout.ts";
import { releaseSorts, rolloutSorts } from "#lib/contract/rollout-lists.ts";
import { templateSorts } from "#lib/contract/template.ts";
import { groupOfWait, type RolloutNeed, rolloutNeeds } from "#lib/domain/waiting/rank-wait.ts";
import { listExperiments } from "#lib/server/pages/experiment/experiments.ts";
import { listAborts } from "#lib/server/pages/release/list-aborts.ts";
import { listReleases, listRolloutReleases } from "#lib/server/pages/release/list-releases.ts";
import { countRollouts, listRollouts } from "#lib/server/pages/rollout/list-rollouts.ts";
import { listRuns } from "#lib/server/pages/run/list-runs.ts";
import { listTemplates } from "#lib/server/pages/template/list-templates.ts";
import type { Actor } from "#lib/server/platform/actor/actor.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";
import { actorOf } from "#test/acting-world.ts";
import { explainSorted, keepQueries } from "#test/explain-query.ts";
import { plantLists } from "#test/list-rows.ts";
import { createTestPool } from "#test/test-pool.ts";
import { startTestWeb, type TestWeb } from "#test/web-runtime.ts";

let web: TestWeb;
let owner: Pool;
beforeAll(async () => {
  web = await startTestWeb();
  owner = createTestPool(web.database.ownerUrl);
  await plantLists(owner);
});
afterAll(async () => {
  await owner.end();
  await web.close();
});

type Input = { limit: number; cursor?: string | undefined; sort?: string; [filter: string]: unknown };
type Item = { id?: string; uid?: string };
type List = (args: { ctx: ServiceContext; input: never }) => Promise<{ items: Item[]; nextCursor: string | null }>;

/** Each list with its orders, the usual one, and the index that each needs, by its name; none for a few rows. */
const lists: { name: string; list: List; sorts: readonly string[]; usual: string; indexes: Record<string, string> }[] =
  [
    {
      name: "rollouts",
      list: listRollouts as List,
      sorts: rolloutSorts,
      usual: "name",
      indexes: {
        name: "rollout_namespace_name_id_idx",
        cluster: "rollout_cluster_namespace_kind_name_uid_idx",
        need: "rollout_by_need",
        waitingSince: "rollout_by_wait",
        "-waitingSince": "rollout_by_wait_desc",
      },
    },
    {
      name: "releases",
      list: listReleases as List,
      sorts: releaseSorts,
      usual: "-startedAt",
      indexes: {
        startedAt: "release_started_at_id_idx",
        state: "release_by_state",
        duration: "release_by_duration",
        "-duration": "release_by_duration_desc",
      },
    },
    {
      name: "analysis runs",
      list: listRuns as List,
      sorts: runSorts,
      usual: "-startedAt",
      indexes: {
        startedAt: "analysis_run_created_at_uid_idx",
        name: "analysis_run_name_uid_idx",
        phase: "analysis_run_by_phase",
      },
    },
    {
      name: "Experiments",
      list: listExperiments as List,
      sorts: experimentSorts,
      usual: "-createdAt",
      indexes: {
        createdAt: "experiment_created_at_uid_idx",
        name: "experiment_name_uid_idx",
        phase: "experiment_by_phase",
      },
    },
    {
      name: "templates",
      list: listTemplates as List,
      sorts: templateSorts,
      usual: "name",
      // Few enough to be sorted: the planner prefers that with hundreds of templates even if there is an index.
      indexes: { name: "analysis_template_name_namespace_uid_idx" },
    },
  ];
const cases = lists.flatMap(({ sorts, ...each }) =>
  sorts.flatMap((sort) => [sort, `-${sort}`].map((direction) => ({ ...each, sort: direction }))),
);

function contextOf(actor: Actor = actorOf("viewer"), runtime = web.runtime): ServiceContext {
  return { runtime, actor, requestId: "test" };
}

const keyOf = (item: Item): string => item.uid ?? item.id ?? "";

async function read(list: List, input: Input, ctx = contextOf()) {
  return list({ ctx, input: input as never });
}

async function walk(list: List, input: Input): Promise<string[]> {
  const keys: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await read(list, { ...input, cursor });
    expect(page.items.length).toBeLessThanOrEqual(input.limit);
    keys.push(...page.items.map(keyOf));
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return keys;
}

describe("an order", () => {
  it.each(cases)(
    "$name by $sort: pages have every row once, across ties and missing values",
    async ({ list, sort }) => {
      const whole = (await read(list, { limit: 200, sort })).items.map(keyOf);
      expect(new Set(whole).size).toBe(whole.length);
      expect(whole.length).toBeGreaterThan(35);
      for (const limit of [1, 7]) expect(await walk(list, { limit, sort })).toEqual(whole);
      const unsorted = (await read(list, { limit: 200 })).items.map(keyOf);
      expect(whole.toSorted()).toEqual(unsorted.toSorted());
    },
  );

  it.each(lists)("$name are sorted by $usual if nothing is said", async ({ list, usual }) => {
    expect(await walk(list, { limit: 9 })).toEqual(await walk(list, { limit: 200, sort: usual }));
  });

  const indexed = cases.flatMap(({ indexes, ...each }) => {
    const index = indexes[each.sort] ?? indexes[each.sort.slice(1)];
    return index === undefined ? [] : { ...each, index };
  });
  it.each(indexed)("$name by $sort is read from its index", async ({ list, sort, index }) => {
    const { pool, asked } = keepQueries(web.runtime.pool);
    const first = await read(list, { limit: 5, sort }, contextOf(actorOf("viewer"), { ...web.runtime, pool }));
    await read(
      list,
      { limit: 5, sort, cursor: first.nextCursor ?? "" },
      contextOf(actorOf("viewer"), { ...web.runtime, pool }),
    );
    const pages = asked.filter(({ text }) => text.includes("sort_key"));
    expect(pages).toHaveLength(2);
    for (const page of pages) expect(await explainSorted(owner, page)).toContain(index);
  });

  it("refuses a cursor of another order", async () => {
    const { nextCursor } = await read(listRollouts as List, { limit: 5, sort: "need" });
    for (const sort of ["-need", "name", undefined])
      await expect(
        read(listRollouts as List, { limit: 5, ...(sort === undefined ? {} : { sort }), cursor: nextCursor ?? "" }),
      ).rejects.toMatchObject({ code: "invalid_request" });
  });
});

describe("a list without a choice of orders", () => {
  const ask = async (read: (ctx: ServiceContext) => Promise<unknown>, order: RegExp) => {
    const { pool, asked } = keepQueries(web.runtime.pool);
    await read(contextOf(actorOf("viewer"), { ...web.runtime, pool }));
    const [query] = asked.filter(({ text }) => order.test(text));
    return query === undefined ? "not asked" : explainSorted(owner, query);
  };

  it("reads aborted releases from their index, on each page", async () => {
    const limit = 1;
    const first = await listAborts({ ctx: contextOf(), input: { limit } });
    for (const cursor of [{}, { cursor: first.nextCursor ?? "" }])
      expect(await ask((ctx) => listAborts({ ctx, input: { limit, ...cursor } }), /aborted_key/)).toContain(
        "release_by_abort",
      );
  });

  it("reads the releases of one rollout from their index", async () => {
    const input = { cluster: "us", namespace: "ns-1", kind: "Rollout", name: "app-1", limit: 5 } as const;
    expect(await ask((ctx) => listRolloutReleases({ ctx, input }), /sort_key/)).toContain(
      "release_rollout_id_started_at_id_idx",
    );
  });
});

function needOf({ attention, phase }: Pick<RolloutSummary, "attention" | "phase">): RolloutNeed {
  if (attention !== null) return groupOfWait(attention);
  if (phase === "Paused" || phase === "Progressing") return "underway";
  return phase === "Healthy" ? "healthy" : "other";
}

describe("what an order means", () => {
  it("puts rollouts that wait the longest first, and those that do not wait last, both ways", async () => {
    for (const [sort, sign] of [
      ["waitingSince", 1],
      ["-waitingSince", -1],
    ] as const) {
      const { items } = await listRollouts({ ctx: contextOf(), input: { limit: 200, sort } });
      const waits = items.map(({ waitingSince }) => waitingSince);
      const known = waits.filter((since) => since !== null);
      expect(known.length).toBeGreaterThan(3);
      expect(waits.slice(known.length).every((since) => since === null)).toBe(true);
      expect(known).toEqual(known.toSorted((one, other) => sign * (Date.parse(one) - Date.parse(other))));
    }
  });

  it("puts rollouts in the order of their needs, each need with as many as are counted", async () => {
    const ctx = contextOf();
    const { items } = await listRollouts({ ctx, input: { limit: 200, sort: "need" } });
    const { needs } = await countRollouts({ ctx, input: {} });
    expect(Object.keys(needs)).toEqual([...rolloutNeeds]);
    const found = [];
    for (const need of rolloutNeeds) {
      const own = (await listRollouts({ ctx, input: { limit: 200, sort: "need", need } })).items;
      expect(own.length).toBe(needs[need]);
      for (const { attention, phase } of own) expect(needOf({ attention, phase })).toBe(need);
      const since = own.flatMap(({ attention }) => (attention === null ? [] : Date.parse(attention.since)));
      expect(since).toEqual(since.toSorted((one, other) => one - other));
      found.push(...own);
    }
    expect(items.map(({ id }) => id)).toEqual(found.map(({ id }) => id));
    for (const need of ["decide", "fix", "underway", "other", "healthy"] as const)
      expect(needs[need]).toBeGreaterThan(0);
    expect(await countRollouts({ ctx, input: { q: "no such rollout" } })).toEqual({
      needs: { decide: 0, fix: 0, look: 0, underway: 0, other: 0, healthy: 0 },
    });
  });

  it("puts the worst phase of a run, and the worst outcome of a release, first", async () => {
    const runs = await listRuns({ ctx: contextOf(), input: { limit: 200, sort: "phase" } });
    expect([...new Set(runs.items.map(({ phase }) => phase))]).toEqual([
      ...["Failed", "Error", "Inconclusive", "Running", "Pending", "Unknown", "Successful"],
    ]);
    const releases = await listReleases({ ctx: contextOf(), input: { limit: 200, sort: "state" } });
    expect([...new Set(releases.items.map(({ state }) => state))]).toEqual([
      ...["aborted", "paused", "progressing", "unknown", "superseded", "promoted"],
    ]);
  });

  it("puts releases that have not ended last, however their durations are sorted", async () => {
    for (const sort of ["duration", "-duration"] as const) {
      const { items } = await listReleases({ ctx: contextOf(), input: { limit: 200, sort } });
      const ended = items.map(({ endedAt }) => endedAt !== null);
      expect(ended.indexOf(false)).toBe(ended.lastIndexOf(true) + 1);
    }
  });
});

describe("a filter", () => {
  const namesOf = async (input: Record<string, unknown>) =>
    (await listRuns({ ctx: contextOf(), input: { limit: 200, ...input } })).items.map(({ name }) => name);

  it("finds runs by type, metric, template and time", async () => {
    expect(await namesOf({ metric: "success-rate" })).toEqual(["run-1"]);
    expect(await namesOf({ metric: "success" })).toEqual([]);
    expect(await namesOf({ template: "smoke" })).toEqual(["run-1"]);
    expect(await namesOf({ template: "smok" })).toEqual([]);
    expect(await namesOf({ type: "Background" })).toEqual(["run-2"]);
    expect(await namesOf({ last: "1h" })).toEqual(["run-2"]);
    expect(await namesOf({ last: "24h", to: new Date(Date.now() - 3_600_000).toISOString() })).toEqual(["run-1"]);
    expect((await namesOf({ phase: "Pending" })).length).toBeGreaterThan(1);
  });

  it("finds rollouts by version and by whether a person is asked for", async () => {
    const find = async (input: Record<string, unknown>) =>
      (await listRollouts({ ctx: contextOf(), input: { limit: 200, ...input } })).items;
    expect((await find({ version: "V7.0" })).map(({ name }) => name)).toEqual(["app-7"]);
    const asking = await find({ attention: "person" });
    expect(asking.length).toBeGreaterThan(3);
    expect(asking.every(({ waitingSince }) => waitingSince !== null)).toBe(true);
    expect((await find({ attention: "any" })).length).toBeGreaterThan(asking.length);
  });

  it("finds templates by the rollout that uses them, if the person may read it", async () => {
    const find = async (ctx: ServiceContext) =>
      (await listTemplates({ ctx, input: { limit: 200, usedBy: "app-7" } })).items.map(({ name }) => name);
    expect(await find(contextOf())).toEqual(["smoke"]);
    const actor = actorOf("viewer");
    const [grant] = actor.rights.grants;
    if (grant === undefined) throw new Error("no grant");
    const narrow = { ...grant, scope: { ...grant.scope, rollouts: ["app-8"] } };
    expect(await find(contextOf({ ...actor, rights: { ...actor.rights, grants: [narrow] } }))).toEqual([]);
  });
});
