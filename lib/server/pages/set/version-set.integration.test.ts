import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SetMember, type SetMemberQuery, SetMetrics } from "#lib/contract/version-set.ts";
import { everywhere } from "#lib/domain/policy/rights.ts";
import { planOnMany } from "#lib/server/pages/set/plan-on-many.ts";
import { getVersionMetrics } from "#lib/server/pages/set/version-metrics.ts";
import { getVersionSet, listVersionMembers } from "#lib/server/pages/set/version-set.ts";
import type { Actor } from "#lib/server/platform/actor/actor.ts";
import { type ActingWorld, actorOf, createActingWorld, failureOf, type TestRollout } from "#test/acting-world.ts";
import { keepQueries } from "#test/explain-query.ts";
import { insertMeasured } from "#test/measurement-rows.ts";

let world: ActingWorld;
beforeAll(async () => {
  world = await createActingWorld();
});
afterAll(() => world.close());

type State = {
  /** Of the wanted revision; none without a release. */
  wants?: string;
  release?: string;
  stable?: string;
  phase?: string;
  attention?: string;
};

/** Records a rollout in some state. */
async function add({ wants, release = "promoted", stable, phase = "Healthy", attention }: State): Promise<TestRollout> {
  const rollout = await world.addRollout();
  const images = [
    ...(stable === undefined ? [] : [{ image: stable, tags: ["stable"] }]),
    ...(wants === undefined || wants === stable ? [] : [{ image: wants, tags: ["canary"] }]),
  ];
  await world.owner.query(
    `UPDATE rollout SET images = $2, phase = $3, attention_reason = $4, attention_since = CASE WHEN $4::text IS NOT NULL THEN now() END
     WHERE id = $1`,
    [rollout.id, JSON.stringify(images), phase, attention ?? null],
  );
  if (wants !== undefined)
    await world.owner.query(
      `INSERT INTO release (id, rollout_id, run_key, attempt, state, message, images, started_at, updated_at)
       VALUES ($1, $2, 'new', 1, $3, '', $4, now(), now())`,
      [randomUUID(), rollout.id, release, JSON.stringify([wants])],
    );
  return rollout;
}

const ctxOf = (actor: Actor = actorOf("operator")) => world.contextOf(actor);

async function listAll(input: { version: string } & Partial<SetMemberQuery>, actor?: Actor): Promise<SetMember[]> {
  const found: SetMember[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await listVersionMembers({ ctx: ctxOf(actor), input: { limit: 2, order: "need", ...input, cursor } });
    found.push(...page.items.map((item) => SetMember.parse(item)));
    if (page.nextCursor === null) return found;
    cursor = page.nextCursor;
  }
}

describe("the rollouts of a version", () => {
  it("are those that run or receive it, and others of the same image, in the order of need", async () => {
    const app = `registry:5000/${randomUUID().slice(0, 8)}/app`;
    const [next, before] = [`${app}:v2.31.0`, `${app}:v2.30.4`];
    const named: [string, State][] = [
      ["promoted", { wants: next, stable: next }],
      ["inconclusive", { wants: next, stable: before, release: "paused", phase: "Paused", attention: "inconclusive" }],
      ["waiting", { wants: next, stable: before, release: "paused", phase: "Paused", attention: "pause" }],
      ["underway", { wants: next, stable: before, release: "progressing", phase: "Progressing" }],
      ["aborted", { wants: next, stable: before, release: "aborted", phase: "Degraded", attention: "degraded" }],
      ["leaving", { wants: `${app}:v2.32.0`, stable: next, release: "progressing", phase: "Progressing" }],
      ["notBegun", { wants: before, stable: before }],
    ];
    const expected = new Map<string, string>();
    for (const [standing, state] of named) expected.set((await add(state)).path.namespace, standing);
    await add({ wants: `${app}-other:v2.30.4`, stable: `${app}-other:v2.30.4` });
    await add({ wants: `${app}:v2.31.0-rc1`, stable: `${app}:v2.31.0-rc1` });

    const set = await getVersionSet({ ctx: ctxOf(), input: { version: "v2.31.0", image: app } });
    expect(set).toMatchObject({
      images: [app],
      total: 8,
      sentence:
        "v2.31.0: promoted in 1 of 8, inconclusive in 1, waiting for a person in 1, aborted in 1, in progress in 1, being replaced in 1, not begun in 2",
      clusters: [{ cluster: "prod-eu", total: 8 }],
    });
    const members = await listAll({ version: "v2.31.0", image: app });
    expect(members.map(({ standing }) => standing)).toEqual([
      ...["inconclusive", "waiting", "aborted", "underway", "notBegun", "notBegun", "leaving", "promoted"],
    ]);
    for (const { rollout, standing } of members) expect(standing).toBe(expected.get(rollout.namespace) ?? "notBegun");
    expect(members.filter(({ current }) => !current).map(({ standing }) => standing)).toEqual([
      ...["notBegun", "notBegun", "leaving"],
    ]);
  });

  it("are counted by wave in the order of its values, and listed by label", async () => {
    const app = `shop/${randomUUID().slice(0, 8)}`;
    const done: State = { wants: `${app}:v2`, stable: `${app}:v2` };
    for (const wave of ["10", "2", "2", undefined]) {
      const { id } = await add(done);
      const labels = wave === undefined ? {} : { wave };
      await world.owner.query("UPDATE rollout SET labels = $2 WHERE id = $1", [id, labels]);
    }
    const { waves } = await getVersionSet({ ctx: ctxOf(), input: { version: "v2", image: app } });
    expect(waves).toMatchObject({
      label: "wave",
      items: [
        { wave: "2", total: 2, counts: { promoted: 2 } },
        { wave: "10", total: 1 },
        { wave: null, total: 1 },
      ],
    });
    const listed = async (label: string) => (await listAll({ version: "v2", image: app, label })).length;
    expect(await Promise.all(["wave=2", "wave=1", "wave=", "wave", "toString"].map(listed))).toEqual([2, 0, 0, 3, 0]);
  });

  it("say what holds those back that wait in a set, and nothing of the others", async () => {
    const app = `shop/${randomUUID().slice(0, 8)}`;
    const waits = await add({ wants: `${app}:v2`, stable: `${app}:v1`, release: "paused", attention: "pause" });
    const others = [
      await add({ wants: `${app}:v2`, stable: `${app}:v2` }),
      await add({ wants: `${app}:v1`, stable: `${app}:v1` }),
    ];
    const namespaces = [waits, ...others].map(({ path }) => path.namespace);
    const read = async () =>
      (await listAll({ version: "v2", image: app })).map(({ standing, heldBack }) => [standing, heldBack]);
    world.setSets([{ name: "app", namespaces, together: true }]);
    expect(await read()).toEqual([
      ["waiting", expect.stringMatching(/^Set "app" passes its pauses together\. /)],
      ["notBegun", null],
      ["promoted", null],
    ]);
    world.setSets([{ name: "app", namespaces, together: false }]);
    expect((await read())[0]).toEqual(["waiting", null]);
    world.setSets([]);
  });

  it("are found by digest, and by tag in several images", async () => {
    const [tag, digest] = [`t${randomUUID().slice(0, 8)}`, `sha256:${"ab".repeat(32)}`];
    const web = `shop/web:${tag}@${digest}`;
    const api = `shop/api:${tag}`;
    await add({ wants: web, stable: web });
    await add({ wants: api, stable: api });
    const byDigest = await getVersionSet({ ctx: ctxOf(), input: { version: digest } });
    expect(byDigest).toMatchObject({ images: ["shop/web"], counts: { promoted: 1 } });
    const byTag = await getVersionSet({ ctx: ctxOf(), input: { version: tag } });
    expect(byTag).toMatchObject({ images: ["shop/api", "shop/web"], counts: { promoted: 2 } });
    await add({ wants: web, stable: web });
    const counted = await getVersionSet({ ctx: ctxOf(), input: { version: tag } });
    expect(counted.imageCounts).toMatchObject([
      { image: "shop/web", rollouts: 2, counts: { promoted: 2, notBegun: 0 }, only: null },
      { image: "shop/api", rollouts: 1, counts: { promoted: 1, notBegun: 0 }, only: { kind: "Rollout" } },
    ]);
  });

  it("are each listed once by address, though their standing changes between the pages", async () => {
    const app = `shop/${randomUUID().slice(0, 8)}`;
    const waits: State = { wants: `${app}:v2`, stable: `${app}:v1`, release: "paused", attention: "pause" };
    const rollouts = [await add(waits), await add(waits), await add(waits), await add(waits)];
    const input = { version: "v2", image: app, limit: 2, order: "address" as const };
    const one = await listVersionMembers({ ctx: ctxOf(), input });
    // By need, those of the first page would now be on the second, and the other way round.
    const isRead = ({ path }: TestRollout) => one.items.some(({ rollout }) => rollout.namespace === path.namespace);
    const [read, unread] = [rollouts.filter(isRead), rollouts.filter((rollout) => !isRead(rollout))];
    expect(read).toHaveLength(2);
    await world.owner.query("UPDATE release SET state = 'promoted' WHERE rollout_id = ANY($1)", [
      read.map(({ id }) => id),
    ]);
    await world.owner.query("UPDATE rollout SET attention_reason = 'inconclusive' WHERE id = ANY($1)", [
      unread.map(({ id }) => id),
    ]);
    const two = await listVersionMembers({ ctx: ctxOf(), input: { ...input, cursor: one.nextCursor ?? undefined } });
    const listed = [...one.items, ...two.items].map(({ rollout }) => rollout.namespace);
    expect(two.nextCursor).toBeNull();
    expect(listed).toEqual(rollouts.map(({ path }) => path.namespace).sort());
  });

  it.each(["%", "_", "v_", "nothing-has-it", '"', "\\"])("are missing for %s", async (version) => {
    const asked = getVersionSet({ ctx: ctxOf(), input: { version } });
    expect(await failureOf(asked)).toMatchObject({ code: "not_found" });
  });

  it("are only those that the reader may read", async () => {
    const image = `shop/${randomUUID().slice(0, 8)}:v1`;
    const own = await add({ wants: image, stable: image });
    await add({ wants: image, stable: image });
    const scope = { ...everywhere, namespaces: [own.path.namespace] };
    const rights = {
      grants: [{ role: "viewer" as const, scope, actions: [], breakGlass: false }],
      cap: "admin" as const,
    };
    const reader = { ...actorOf("viewer"), rights };
    const members = await listAll({ version: "v1", image: image.replace(":v1", "") }, reader);
    expect(members.map(({ rollout }) => rollout.namespace)).toEqual([own.path.namespace]);
  });
});

/** Records a run of the rollout's revision, with one measurement of each metric. */
async function measure({ id, path }: TestRollout, minute: number, values: Record<string, number>): Promise<string> {
  const uid = randomUUID();
  const at = new Date(Date.UTC(2026, 10, 20, 10, minute)).toISOString();
  await world.owner.query(
    `INSERT INTO analysis_run (uid, rollout_id, cluster, namespace, name, type, pod_hash, phase, message, spec,
       resource_version, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $1, 'Step', 'new', 'Successful', '', '{"metrics": []}', '1', $5, now())`,
    [uid, id, path.cluster, path.namespace, at],
  );
  for (const [metric, value] of Object.entries(values)) {
    await world.owner.query(
      "INSERT INTO metric (rollout_id, run_uid, name, phase, message, count) VALUES ($1, $2, $3, 'Successful', '', 1)",
      [id, uid, metric],
    );
    const rows = `SELECT '${uid}' AS run_uid, '${metric}' AS metric, 1 AS seq, timestamptz '${at}' AS started_at,
      timestamptz '${at}' AS finished_at, 'Successful' AS phase, '${value}' AS value, '' AS message,
      'number' AS parsed_kind, ${value}::float8 AS parsed`;
    const columns = ["seq", "started_at", "finished_at", "phase", "value", "message", "parsed_kind", "parsed"];
    await world.owner.query(insertMeasured(columns, rows));
  }
  return uid;
}

describe("the metrics of a version", () => {
  it("are those of its own runs, each metric from the newest run that has it", async () => {
    const app = `shop/${randomUUID().slice(0, 8)}`;
    const waits: State = { wants: `${app}:v2`, stable: `${app}:v1`, release: "paused", attention: "pause" };
    const [measured, other] = [await add(waits), await add({ wants: `${app}:v1`, stable: `${app}:v1` })];
    await add(waits);
    await measure(measured, 1, { errors: 1, latency: 300 });
    const newest = await measure(measured, 2, { errors: 3 });
    await measure(other, 3, { errors: 9 });
    const input = { version: "v2", image: app };
    const metrics = SetMetrics.parse(await getVersionMetrics({ ctx: ctxOf(), input }));
    expect(metrics).toMatchObject({ measured: 1, items: [{ rollout: measured.path, standing: "waiting" }] });
    const [item] = metrics.items;
    expect(item?.metrics.map(({ metric, values }) => [metric, values])).toEqual([
      ["errors", [3]],
      ["latency", [300]],
    ]);
    expect(item?.metrics[0]?.runUid).toBe(newest);
    const none = await getVersionMetrics({ ctx: ctxOf(), input: { ...input, cluster: "elsewhere" } });
    expect(none).toEqual({ measured: 0, items: [] });
  });
});

/** Records what the address had before the rollout was recreated, and returns the uid. */
async function addFormer({ id }: TestRollout, images: unknown): Promise<string> {
  const uid = randomUUID();
  await world.owner.query(
    `INSERT INTO rollout SELECT (jsonb_populate_record(r, jsonb_build_object('id', gen_random_uuid(), 'uid', $2::text,
       'presence', 'absent', 'first_seen_at', r.first_seen_at - interval '1 day', 'images', $3::jsonb))).*
     FROM rollout r WHERE id = $1`,
    [id, uid, JSON.stringify(images)],
  );
  return uid;
}

describe("a recreated rollout", () => {
  it("counts once, as what it is now", async () => {
    const app = `shop/${randomUUID().slice(0, 8)}`;
    const rollout = await add({ wants: `${app}:v2`, stable: `${app}:v2` });
    await addFormer(rollout, [{ image: `${app}:v1`, tags: ["stable"] }]);
    await addFormer(rollout, [{ image: `${app}:v2`, tags: ["stable"] }]);
    const set = await getVersionSet({ ctx: ctxOf(), input: { version: "v2", image: app } });
    expect(set).toMatchObject({ total: 1, counts: { promoted: 1 } });
    const former = getVersionSet({ ctx: ctxOf(), input: { version: "v1", image: app } });
    expect(await failureOf(former)).toMatchObject({ code: "not_found" });
  });

  it("is planned as what it is now", async () => {
    const rollout = await world.addRollout();
    await addFormer(rollout, []);
    const { items } = await planOnMany({ ctx: ctxOf(), input: { members: [rollout.path] } });
    const { uid } = await rollout.look();
    expect(items.map((item) => item.uid)).toEqual([uid]);
  });
});

describe("a version among many releases", () => {
  it("is found through the index of release images", async () => {
    await world.owner.query(
      `INSERT INTO rollout (id, cluster, namespace, kind, name, uid, phase, message, step_count, view_digest, revision_key,
         resource_version, object, updated_at, images)
       SELECT gen_random_uuid(), 'prod-eu', 'many', 'Rollout', 'r' || n, 'u' || n, 'Healthy', '', 0, 'd', 'key', '1', '{}', now(),
         jsonb_build_array(jsonb_build_object('image', 'many/app' || n || ':v' || n % 40, 'tags', jsonb_build_array('stable')))
       FROM generate_series(1, 1500) n;
       INSERT INTO release (id, rollout_id, run_key, attempt, state, message, images, started_at, updated_at)
       SELECT gen_random_uuid(), r.id, CASE old WHEN 0 THEN 'key' ELSE 'old' || old END, 1, 'promoted', '',
         CASE old WHEN 0 THEN jsonb_build_array(r.images -> 0 ->> 'image') ELSE jsonb_build_array('many/app:old' || old) END,
         now(), now()
       FROM rollout r, generate_series(0, 5) old WHERE r.namespace = 'many';
       ANALYZE rollout, release`,
    );
    const { pool, asked } = keepQueries(world.web);
    const ctx = { ...ctxOf(), runtime: { ...world.runtime, pool } };
    const set = await getVersionSet({ ctx, input: { version: "v7" } });
    expect(set.total).toBe(38);
    const wanting = asked.find(({ text }) => text.includes('"wanting"'));
    if (wanting === undefined) throw new Error("no statement reads releases");
    const { rows } = await world.owner.query(`EXPLAIN ${wanting.text}`, wanting.values);
    const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
    expect(plan).toContain("release_image_part");
    expect(plan).toContain("release_rollout_id_run_key_attempt_key");
    expect(plan).not.toContain("Seq Scan on release");
  });
});

describe("the plan of an action on many", () => {
  it("has the state that each was judged in, and what each allows", async () => {
    const [one, other] = [await world.addRollout(), await world.addRollout()];
    const missing = { ...one.path, name: "gone" };
    const members = [one.path, missing, other.path];
    const { items } = await planOnMany({ ctx: ctxOf(), input: { action: "continue", members } });
    expect(items.map(({ rollout }) => rollout.namespace)).toEqual([one.path.namespace, other.path.namespace]);
    const { viewDigest, uid, revisionKey } = await one.look();
    expect(items[0]).toMatchObject({ viewDigest, uid, revisionKey, plan: { action: "continue", allowed: true } });
    expect(items[0]?.allowed).toEqual(expect.arrayContaining(["continue", "abort", "pause"]));
    expect(items[0]?.plan).not.toHaveProperty("patches");
  });

  it("offers nothing to a viewer, and without an action plans none", async () => {
    const { path } = await world.addRollout();
    const { items } = await planOnMany({ ctx: ctxOf(actorOf("viewer")), input: { members: [path] } });
    expect(items).toMatchObject([{ plan: null }]);
  });
});
