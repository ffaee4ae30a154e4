import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SearchAnswer, type SearchKind, searchKinds } from "#lib/contract/search.ts";
import { everywhere } from "#lib/domain/policy/rights.ts";
import { appendAudit } from "#lib/server/audit/append-audit.ts";
import type { Actor } from "#lib/server/platform/actor/actor.ts";
import { type ActingWorld, actorOf, createActingWorld, type TestRollout } from "#test/acting-world.ts";
import { search } from "./search.ts";

let world: ActingWorld;
let rollout: TestRollout;
const ids = { run: randomUUID(), experiment: randomUUID(), template: randomUUID(), finding: randomUUID() };
let releaseId: string;
let seq: number;

beforeAll(async () => {
  world = await createActingWorld();
  rollout = await world.addRollout();
  releaseId = await addRelease({ images: ["registry.example/shop:v5.3.0"], runKey: "6d5f8c9b7", minutesAgo: 10 });
  await plant();
});
afterAll(() => world.close());

async function addRelease({
  images,
  runKey,
  minutesAgo,
  message = "",
}: {
  images: string[];
  runKey: string;
  minutesAgo: number;
  message?: string;
}): Promise<string> {
  const id = randomUUID();
  await world.owner.query(
    `INSERT INTO release (id, rollout_id, run_key, attempt, state, message, images, started_at, updated_at)
     VALUES ($1, $2, $3, 1, 'aborted', $4, $5, now() - $6 * interval '1 minute', now())`,
    [id, rollout.id, runKey, message, JSON.stringify(images), minutesAgo],
  );
  return id;
}

/** One of each kind, each with a word of its own. */
async function plant(): Promise<void> {
  const { cluster, namespace, name } = rollout.path;
  const query = (text: string, values: unknown[]) => world.owner.query(text, values);
  await query(
    `INSERT INTO analysis_run (uid, cluster, namespace, name, kind, type, rollout_id, phase, message, spec, created_at,
       updated_at, resource_version)
     VALUES ($1, $2, $3, 'checkout-6d5f8c9b7-2-1', 'AnalysisRun', 'Step', $4, 'Failed',
       'Metric "error-rate" assessed Failed due to failed (2) > failureLimit (1)', '{}', now(), now(), '1')`,
    [ids.run, cluster, namespace, rollout.id],
  );
  await query(
    `INSERT INTO experiment (uid, cluster, namespace, name, rollout_id, phase, message, object, created_at, updated_at)
     VALUES ($1, $2, $3, 'baseline-against-canary', $4, 'Running', '', '{}', now(), now())`,
    [ids.experiment, cluster, namespace, rollout.id],
  );
  await query(
    `INSERT INTO analysis_template (uid, cluster, namespace, kind, name, version, spec_hash, resource_version, created_at, updated_at)
     VALUES ($1, $2, $3, 'AnalysisTemplate', 'latency', 2, 'h', '1', now(), now())`,
    [ids.template, cluster, namespace],
  );
  for (const [version, words] of [
    [1, "query_of_yesterday"],
    [2, "http_request_duration_seconds_bucket"],
  ])
    await query(
      `INSERT INTO analysis_template_version (template_uid, version, spec_hash, spec, resource_version, written_at, observed_at)
       VALUES ($1, $2, 'h', $3, '1', now(), now())`,
      [ids.template, version, JSON.stringify({ metrics: [{ query: words }] })],
    );
  await query(
    `INSERT INTO finding (id, about, subject, rollout_id, cluster, namespace, kind, name, rule, severity, title, evidence, since)
     VALUES ($1, 'rollout', $2::uuid::text, $2::uuid, $3, $4, 'Rollout', $5, 'waiting-too-long', 'warning',
       'Nobody answered for nineteen hours', '[]', now())`,
    [ids.finding, rollout.id, cluster, namespace, name],
  );
  await query(
    `INSERT INTO kube_event (uid, cluster, namespace, involved_kind, involved_name, involved_uid, rollout_id, type, reason,
       message, count, first_at, last_at, resource_version)
     VALUES ($1, $2, $3, 'Pod', 'checkout-6d5f8c9b7-xk2p4', 'u', $4, 'Warning', 'FailedScheduling',
       'insufficient nvidia.com/gpu', 3, now(), now(), '1')`,
    [randomUUID(), cluster, namespace, rollout.id],
  );
  ({ seq } = await appendAudit({
    pool: world.runtime.pool,
    entry: {
      actor: { type: "user", issuer: "https://id.example", subject: "frida-17", name: "Frida (on call)" },
      source: "gatehouse",
      code: "action.abort",
      action: "abort",
      target: { id: rollout.id, cluster, namespace, kind: "Rollout", name },
      outcome: "refused",
      reason: 'Customers see "timeouts" at the till',
      requestId: "r",
    },
  }));
}

async function find(q: string, actor: Actor = actorOf("viewer"), limit = 6): Promise<SearchAnswer> {
  return SearchAnswer.parse(await search({ ctx: world.contextOf(actor), input: { q, limit } }));
}

function kindsOf(answer: SearchAnswer): SearchKind[] {
  return searchKinds.filter((kind) => answer[kind].items.length > 0);
}

function within(namespace: string): Actor {
  const scope = { ...everywhere, namespaces: [namespace] };
  return {
    ...actorOf("viewer"),
    subject: "another",
    rights: { grants: [{ role: "viewer", scope, actions: ["*"], breakGlass: false }], cap: "admin" },
  };
}

describe("what a search finds", () => {
  it.each<[string, string, SearchKind]>([
    ["an image's tag", "v5.3.0", "releases"],
    ["a part of an image, in capitals", "EXAMPLE/SHOP", "releases"],
    ["the beginning of a pod template's hash", "6d5f8", "releases"],
    ["the beginning of a run's name", "checkout-6d5f8c9b7-2", "runs"],
    ["a word of a run's message, by half of it", "failureLim", "runs"],
    ["a metric in a run's message", "error-rate", "runs"],
    ["a part of an Experiment's name", "against-can", "experiments"],
    ["a template's name", "latency", "templates"],
    ["the query of a template", "http_request_duration", "templates"],
    ["a finding's title", "nineteen", "findings"],
    ["a person by name", "frida", "people"],
    ["a person by subject", "frida-17", "people"],
    ["the reason of an event", "FailedScheduling", "messages"],
    ["the message of an event", "nvidia.com", "messages"],
    ["the pod of an event", "xk2p4", "messages"],
    ["the reason of an audit entry, behind a quotation mark", "till", "audit"],
    ["the code of an audit entry", "action.abort", "audit"],
  ])("%s: %s", async (_, q, kind) => {
    expect(kindsOf(await find(q))).toContain(kind);
  });

  it.each([
    ["the uid of a run", () => ids.run, "runs"],
    ["the uid of an Experiment", () => ids.experiment, "experiments"],
    ["the number of an audit entry", () => `#${seq}`, "audit"],
  ] as const)("%s, whole", async (_, q, kind) => {
    const answer = await find(q());
    expect(kindsOf(answer)).toContain(kind);
    expect(answer[kind].items).toHaveLength(1);
  });

  it("finds a rollout by its address and by an image that it runs, the exact name first", async () => {
    const { namespace } = rollout.path;
    await world.owner.query("UPDATE rollout SET images = $2 WHERE id = $1", [
      rollout.id,
      JSON.stringify([{ image: "registry.example/log4j-shop:v9", tags: ["stable"] }]),
    ]);
    for (const q of [`${namespace}/check`, "log4j", `log4j ${namespace}`])
      expect((await find(q)).rollouts.items).toMatchObject([{ rollout: { namespace, name: "checkout" } }]);
    await world.owner.query(
      `INSERT INTO rollout SELECT (jsonb_populate_record(r, jsonb_build_object('id', gen_random_uuid(), 'uid', 'x',
         'name', 'a-checkout'))).* FROM rollout r WHERE id = $1`,
      [rollout.id],
    );
    const { rollouts } = await find(`checkout ${namespace}`);
    expect(rollouts.items.map((found) => found.rollout.name)).toEqual(["checkout", "a-checkout"]);
  });

  it("has all words, at least one of them its own", async () => {
    const { namespace } = rollout.path;
    expect((await find(`${namespace} v5.3.0`)).releases.items).toMatchObject([{ id: releaseId }]);
    expect((await find(`${namespace} v5.3.1`)).releases.items).toEqual([]);
    // The releases of a rollout are on its page: its name alone does not list them.
    expect((await find(namespace)).releases.items).toEqual([]);
  });

  it("knows only the newest version of a template", async () => {
    expect(kindsOf(await find("query_of_yesterday"))).toEqual([]);
  });

  it("takes what LIKE and tsquery mean literally", async () => {
    for (const q of ["%%%", "___", "v5_3_0", "'abc", "abc:*", "a & b | !c", "\\\\\\", "<->", "(((", "''''''"])
      expect(kindsOf(await find(q)), q).toEqual([]);
    expect((await find("v5.3.0'")).releases.items).toEqual([]);
  });

  it("lists the newest first, and says that there are more", async () => {
    const made = [];
    for (const minutesAgo of [30, 50, 40])
      made.push(await addRelease({ images: ["registry/many:v1"], runKey: randomUUID(), minutesAgo }));
    const { releases } = await find("registry/many", undefined, 2);
    expect(releases.items.map(({ id }) => id)).toEqual([made[0], made[2]]);
    expect(releases.more).toBe(true);
    expect((await find("registry/many", undefined, 3)).releases.more).toBe(false);
  });

  it("searches only what is small for less than three characters, and says so", async () => {
    const answer = await find("v5");
    expect(answer.tooShort).toBe(true);
    expect(answer.releases.items).toEqual([]);
    expect((await find("ch")).rollouts.items.length).toBeGreaterThan(0);
    expect((await find("v5.3.0 v5")).tooShort).toBe(false);
  });

  it("compares the order of words, in older entries too", async () => {
    const add = (reason: string) =>
      appendAudit({
        pool: world.runtime.pool,
        entry: {
          actor: { type: "user", issuer: "https://id.example", subject: "frida-17", name: "Frida" },
          source: "gatehouse",
          code: "action.abort",
          outcome: "refused",
          reason,
          requestId: "r",
        },
      });
    const old = await add("incident-4711 of the till");
    const admin = actorOf("admin");
    const numbers = async (q: string) => (await find(q, admin, 2)).audit.items.map((item) => item.seq);
    expect(await numbers("incident-47")).toEqual([old.seq]);
    for (let turn = 0; turn < 60; turn += 1) await add("4711 was no incident");
    expect(await numbers("incident-47")).toEqual([old.seq]);
    const further = [await add("incident-4712"), await add("incident-4713"), await add("incident-4714")];
    expect(await numbers("incident-47")).toEqual([further[2]?.seq, further[1]?.seq]);
    expect(await numbers("incident-47 till")).toEqual([old.seq]);
    expect(await numbers("incident-99")).toEqual([]);
  });

  it("names who acted once, however often, with the last time", async () => {
    for (let turn = 0; turn < 3; turn += 1) await world.act({ rollout, action: "abort" }).catch(() => undefined);
    const { people } = await find("operator-person");
    expect(people.items).toMatchObject([{ name: "operator-person", subject: "operator-person" }]);
    const { rows } = await world.owner.query("SELECT max(time) AS last FROM audit_entry WHERE actor_name = $1", [
      "operator-person",
    ]);
    expect(people.items[0]?.at).toBe(rows[0].last.toISOString());
  });
});

describe("the rights of a search", () => {
  it("show nothing of another namespace, in no kind", async () => {
    const words = ["v5.3.0", "failureLimit", "against", "latency", "nineteen", "frida", "nvidia", "till", "checkout"];
    for (const q of words) expect(kindsOf(await find(q, within("another"))), q).toEqual([]);
    for (const q of words) expect(kindsOf(await find(q, within(rollout.path.namespace))), q).not.toEqual([]);
  });

  it("do not let the name of a hidden rollout be found by its release", async () => {
    expect(kindsOf(await find(`v5.3.0 ${rollout.path.namespace}`, within("another")))).toEqual([]);
  });
});
