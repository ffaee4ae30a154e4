import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { SetDifferences } from "#lib/contract/version-set.ts";
import { everywhere } from "#lib/domain/policy/rights.ts";
import { getVersionDifferences } from "#lib/server/pages/set/version-differences.ts";
import type { Actor } from "#lib/server/platform/actor/actor.ts";
import { type ActingWorld, actorOf, createActingWorld, type TestRollout } from "#test/acting-world.ts";
import { keepQueries } from "#test/explain-query.ts";
import { filledSet, fillSet } from "#test/fill-set.ts";

let world: ActingWorld;
beforeAll(async () => {
  world = await createActingWorld();
});
afterAll(() => world.close());

type Member = { image: string; limit?: string; steps?: unknown[]; refs?: string[] };

async function add({ image, limit = "5", steps = [], refs = [] }: Member): Promise<TestRollout> {
  const analysis = { templates: [{ templateName: "errors" }], args: [{ name: "limit", value: limit }] };
  const rollout = await world.addRollout({ spec: { strategy: { canary: { analysis, steps } } } });
  await world.owner.query("UPDATE rollout SET images = $2, template_refs = $3 WHERE id = $1", [
    rollout.id,
    JSON.stringify([{ image, tags: ["stable"] }]),
    JSON.stringify(refs),
  ]);
  return rollout;
}

type Template = { kind?: string; name: string; hash: string; refs?: string[] };

async function addTemplate(namespace: string, { kind = "AnalysisTemplate", name, hash, refs = [] }: Template) {
  await world.owner.query(
    `INSERT INTO analysis_template (uid, cluster, namespace, kind, name, version, spec_hash, template_refs, resource_version, created_at, updated_at)
     VALUES ($1, 'prod-eu', $2, $3, $4, 1, $5, $6, '1', now(), now())`,
    [randomUUID(), namespace, kind, name, hash, JSON.stringify(refs)],
  );
}

async function compare(app: string, actor: Actor = actorOf("viewer")): Promise<SetDifferences> {
  const input = { version: "v2", image: app };
  return SetDifferences.parse(await getVersionDifferences({ ctx: world.contextOf(actor), input }));
}

/** Writes each group as `kind name: value (count)`. */
function describeGroups({ fields }: SetDifferences): string[] {
  return fields.flatMap(({ kind, name, groups }) =>
    groups.map(({ state, value, count }) => `${kind} ${name ?? "-"}: ${value ?? state} (${count})`),
  );
}

const imageOf = () => `shop/${randomUUID().slice(0, 8)}`;

it("lists nothing if all members have the same", async () => {
  const app = imageOf();
  for (let count = 0; count < 3; count += 1) await add({ image: `${app}:v2` });
  expect(await compare(app)).toEqual({ total: 3, compared: 3, fields: [], moreFields: 0, notCompared: 0 });
});

it("lists image, arguments and steps that differ, with the members that are not most", async () => {
  const app = imageOf();
  await add({ image: `${app}:v2` });
  await add({ image: `${app}:v2` });
  const other = await add({ image: `${app}:v1`, limit: "9", steps: [{ pause: {} }] });
  const { fields } = await compare(app);
  expect(fields.map(({ kind, name }) => [kind, name])).toEqual([
    ["image", null],
    ["steps", null],
    ["argument", "limit of errors"],
  ]);
  for (const { groups } of fields)
    expect(groups).toMatchObject([
      { isMost: true, count: 2, rollouts: [] },
      { isMost: false, count: 1, rollouts: [other.path] },
    ]);
});

it("compares templates by their recorded specs, with those that they are composed of, and those not recorded", async () => {
  const app = imageOf();
  const refs = ["AnalysisTemplate/errors", "ClusterAnalysisTemplate/common"];
  const members = [];
  for (let count = 0; count < 3; count += 1) members.push(await add({ image: `${app}:v2`, refs }));
  const [one, two, three] = members.map(({ path }) => path.namespace);
  const named = { name: "errors", hash: "aaa", refs: ["AnalysisTemplate/part"] };
  for (const namespace of [one, two]) await addTemplate(namespace ?? "", named);
  await addTemplate(one ?? "", { name: "part", hash: "bbb" });
  await addTemplate(two ?? "", { name: "part", hash: "ccc", refs: ["AnalysisTemplate/errors"] });
  await addTemplate("", { kind: "ClusterAnalysisTemplate", name: "common", hash: "ddd" });
  expect(describeGroups(await compare(app))).toEqual([
    "template AnalysisTemplate/errors: aaa (2)",
    "template AnalysisTemplate/errors: unknown (1)",
    ...["template AnalysisTemplate/part: bbb (1)", "template AnalysisTemplate/part: ccc (1)"],
    "template AnalysisTemplate/part: unknown (1)",
  ]);
  const scope = { ...everywhere, namespaces: [one ?? "", three ?? ""] };
  const rights = {
    grants: [{ role: "viewer" as const, scope, actions: [], breakGlass: false }],
    cap: "admin" as const,
  };
  const limited = await compare(app, { ...actorOf("viewer"), rights });
  expect([limited.total, describeGroups(limited)]).toEqual([
    2,
    [
      "template AnalysisTemplate/errors: aaa (1)",
      "template AnalysisTemplate/errors: unknown (1)",
      ...["template AnalysisTemplate/part: bbb (1)", "template AnalysisTemplate/part: unknown (1)"],
    ],
  ]);
});

it("does not read a spec that is too long", async () => {
  const app = imageOf();
  await add({ image: `${app}:v2` });
  const long = await add({ image: `${app}:v2`, limit: "x".repeat(20_000) });
  const { fields } = await compare(app);
  expect(fields.map(({ kind }) => kind)).toEqual(["steps", "argument"]);
  for (const { groups } of fields) expect(groups[1]).toMatchObject({ state: "unknown", rollouts: [long.path] });
});

it("compares 2,000 members by one statement, and counts those beyond", async () => {
  await fillSet(world.owner);
  await add({ image: `${filledSet.image}:${filledSet.version}` });
  const { pool, asked } = keepQueries(world.web);
  const ctx = { ...world.contextOf(actorOf("viewer")), runtime: { ...world.runtime, pool } };
  const { version, image } = filledSet;
  const answer = SetDifferences.parse(await getVersionDifferences({ ctx, input: { version, image } }));
  // Three find the members.
  expect(asked).toHaveLength(4);
  expect(answer).toMatchObject({ total: 2001, compared: 2000, moreFields: 0, notCompared: 0 });
  expect(describeGroups(answer).filter((line) => line.startsWith("template"))).toEqual([
    "template AnalysisTemplate/success-rate: aaaaaaaaaaaa (1899)",
    "template AnalysisTemplate/success-rate: bbbbbbbbbbbb (100)",
    "template AnalysisTemplate/success-rate: none (1)",
  ]);
});
