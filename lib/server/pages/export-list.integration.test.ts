import type { Pool } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exportExperiments } from "#lib/server/pages/experiment/experiments.ts";
import type { ListExport } from "#lib/server/pages/export-list.ts";
import { exportReleases } from "#lib/server/pages/release/list-releases.ts";
import { exportRollouts } from "#lib/server/pages/rollout/list-rollouts.ts";
import { exportRuns, listRuns } from "#lib/server/pages/run/list-runs.ts";
import { exportTemplates } from "#lib/server/pages/template/list-templates.ts";
import type { Actor } from "#lib/server/platform/actor/actor.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";
import { actorOf } from "#test/acting-world.ts";
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

const contextOf = (actor: Actor = actorOf("viewer")): ServiceContext => ({
  runtime: web.runtime,
  actor,
  requestId: "test",
});

async function read({ lines }: ListExport): Promise<string[]> {
  let text = "";
  for await (const part of lines) text += part;
  expect(text.endsWith("\r\n")).toBe(true);
  return text.slice(0, -2).split("\r\n");
}

function onlyRollouts(rollouts: string[]): Actor {
  const actor = actorOf("viewer");
  const [grant] = actor.rights.grants;
  if (grant === undefined) throw new Error("no grant");
  return { ...actor, rights: { ...actor.rights, grants: [{ ...grant, scope: { ...grant.scope, rollouts } }] } };
}

describe("the CSV of a list", () => {
  it.each([
    ["rollouts", () => exportRollouts({ ctx: contextOf(), input: {} }), "id,cluster,namespace,kind,name,"],
    ["releases", () => exportReleases({ ctx: contextOf(), input: {} }), "id,rollout.cluster,"],
    ["analysis-runs", () => exportRuns({ ctx: contextOf(), input: {} }), "uid,cluster,namespace,name,"],
    ["experiments", () => exportExperiments({ ctx: contextOf(), input: {} }), "uid,cluster,namespace,name,"],
    ["templates", () => exportTemplates({ ctx: contextOf(), input: {} }), "id,uid,cluster,"],
  ])("of %s has a header with the fields of the API, and every row", async (name, start, header) => {
    const exported = await start();
    expect(exported.fileName).toBe(`gatehouse-${name}.csv`);
    const [first, ...rows] = await read(exported);
    expect(first).toMatch(new RegExp(`^${header}`));
    expect(rows).toHaveLength(40);
  });

  it("has what the filters let through, in the order of the list", async () => {
    const input = { phase: "Failed", sort: "name" } as const;
    const [header = "", ...rows] = await read(await exportRuns({ ctx: contextOf(), input }));
    const { items } = await listRuns({ ctx: contextOf(), input: { ...input, limit: 200 } });
    expect(items.length).toBeGreaterThan(3);
    const at = header.split(",").indexOf("uid");
    expect(rows.map((row) => row.split(",")[at])).toEqual(items.map(({ uid }) => uid));
  });

  it("has only what the person may read", async () => {
    const ctx = contextOf(onlyRollouts(["app-7"]));
    const [, ...rollouts] = await read(await exportRollouts({ ctx, input: {} }));
    expect(rollouts).toHaveLength(1);
    expect(rollouts[0]).toContain(",app-7,");
    const [, ...releases] = await read(await exportReleases({ ctx, input: {} }));
    expect(releases).toHaveLength(1);
    const [, ...runs] = await read(await exportRuns({ ctx, input: {} }));
    expect(runs).toHaveLength(1);
  });

  it("writes times in UTC, and leaves cells of what is not known empty", async () => {
    const [header = "", ...rows] = await read(await exportReleases({ ctx: contextOf(), input: { state: "paused" } }));
    const names = header.split(",");
    expect(rows.length).toBeGreaterThan(3);
    for (const row of rows) {
      const cells = row.split(",");
      expect(cells[names.indexOf("startedAt")]).toMatch(/^2026-11-20T\d{2}:00:00\.123Z$/);
      expect(cells[names.indexOf("endedAt")]).toBe("");
    }
  });

  it("refuses before the table begins", async () => {
    const broken = { ...contextOf(), runtime: { ...web.runtime, pool: createTestPool("postgres://127.0.0.1:1/none") } };
    await expect(exportRollouts({ ctx: broken, input: {} })).rejects.toThrow();
  });

  it("keeps a formula from being one", async () => {
    await owner.query(`UPDATE experiment SET message = '=HYPERLINK("https://evil.example","a")', phase = 'Failed'
      WHERE uid = 'exp-uid-3'`);
    const rows = await read(await exportExperiments({ ctx: contextOf(), input: { phase: "Failed" } }));
    const row = rows.find((each) => each.startsWith("exp-uid-3,"));
    expect(row).toContain(`,"'=HYPERLINK(""https://evil.example"",""a"")",`);
  });

  it("of ten thousand runs is read page by page, as they are taken", async () => {
    await owner.query(`
      INSERT INTO analysis_run (uid, rollout_id, cluster, namespace, name, type, phase, message, spec, resource_version,
          created_at, updated_at)
      SELECT 'many-' || i, r.id, r.cluster, r.namespace, 'many-' || i, 'Step', 'Successful', '', '{"metrics": []}', '1',
          timestamptz '2026-11-01 10:00:00+00' + i * interval '1 second', now()
        FROM generate_series(1, 10000) i, LATERAL (SELECT id, cluster, namespace FROM rollout WHERE name = 'app-1') r`);
    const queries: string[] = [];
    const pool = new Proxy(web.runtime.pool, {
      get: (target, key) =>
        key === "query"
          ? (query: { text: string }) => {
              queries.push(query.text);
              return target.query(query);
            }
          : Reflect.get(target, key),
    });
    const ctx = { ...contextOf(), runtime: { ...web.runtime, pool } };
    const { lines } = await exportRuns({ ctx, input: { q: "many-" } });
    let rows = 0;
    let longest = 0;
    for await (const part of lines) {
      const count = part.split("\r\n").length - 1;
      rows += count;
      longest = Math.max(longest, count);
      // No page is read before the one before it was taken.
      expect(queries.length).toBeLessThanOrEqual(Math.ceil(rows / 200) + 1);
    }
    expect(rows).toBe(10_001);
    expect(longest).toBeLessThanOrEqual(201);
  });
});
