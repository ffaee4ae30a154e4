import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { everywhere, type Rights } from "#lib/domain/policy/rights.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";
import { actorOf } from "#test/acting-world.ts";
import { connectRecorded, type Recorded, type RecordedRollout } from "#test/recorded.ts";
import { createTestPool } from "#test/test-pool.ts";
import { startTestWeb, type TestWeb } from "#test/web-runtime.ts";
import { getRolloutSeries } from "./get-rollout-series.ts";

const since = new Date("2026-11-20T10:00:00Z");
const later = new Date("2026-11-20T11:00:00.500Z");
const attention = { reason: "pause", severity: "warning", since };

let web: TestWeb;
let recorded: Recorded;
let owner: Pool;
let waiting: RecordedRollout;
let ended: Date;

beforeAll(async () => {
  web = await startTestWeb({ config: { teams: [{ name: "Pay", namespaces: ["pay"] }], limits: limitsOf(4) } });
  recorded = await connectRecorded(web.database.recorderUrl);
  owner = createTestPool(web.database.ownerUrl);
  await recorded.addSource({});
  await owner.query("UPDATE source SET history_begins_at = $1", [since]);
  const add = (namespace: string, name: string, fields: object) => recorded.addRollout({ namespace, name, ...fields });
  await add("shop", "a-healthy", { phase: "Healthy" });
  await add("shop", "late", { attention: { ...attention, since: later } });
  waiting = await add("pay", "early", { attention });
  const snoozed = await add("shop", "snoozed", { attention });
  await add("shop", "moving", { phase: "Progressing" });
  await add("shop", 'gone"', { phase: "Healthy", presence: "gone", attention });
  await owner.query(
    `INSERT INTO wait_mark (rollout_id, kind, view_digest, attention_reason, attention_since, attention_severity, revision_key, until, reason, marked_by, marked_by_name)
     SELECT id, 'snooze', view_digest, attention_reason, attention_since, attention_severity, revision_key, now() + interval '1 hour', 'r', 'x', 'x'
     FROM rollout WHERE id = $1`,
    [snoozed.id],
  );
  await owner.query("UPDATE rollout SET weight_actual = NULL, weight_set = 0, step = NULL WHERE name = 'moving'");
  await recorded.addRun({ rolloutId: waiting.id, name: "first", phase: "Failed", createdAt: since });
  const { uid } = await recorded.addRun({
    rolloutId: waiting.id,
    name: "second",
    phase: "Successful",
    createdAt: later,
  });
  await recorded.addRun({ rolloutId: waiting.id, name: "third", phase: "Running", createdAt: new Date() });
  ended = new Date("2026-11-20T12:00:00Z");
  await owner.query("UPDATE analysis_run SET completed_at = $1 WHERE uid = $2", [ended, uid]);
  await addFinding(waiting, "warning");
  await addFinding(waiting, "warning");
  await addAction(waiting, { state: "effective" });
  await addAction(snoozed, { state: "refused" });
  await addAction(waiting, { state: "effective", hoursAgo: 25 });
});
afterAll(async () => {
  await Promise.all([owner.end(), recorded.close()]);
  await web.close();
});

const limitsOf = (rolloutsInMetrics: number) => ({ rolloutsInMetrics });

async function addFinding({ id, cluster, namespace, name }: RecordedRollout, severity: string): Promise<void> {
  await owner.query(
    `INSERT INTO finding (id, about, subject, rollout_id, cluster, namespace, kind, name, rule, severity, title, evidence, since)
     VALUES ($1, 'rollout', $2::uuid::text, $2::uuid, $3, $4, 'Rollout', $5, 'waiting-too-long', $6, 't', '[]', now())`,
    [randomUUID(), id, cluster, namespace, name, severity],
  );
}

async function addAction(
  { id, cluster, namespace, name }: RecordedRollout,
  { state, hoursAgo = 1 }: { state: string; hoursAgo?: number },
): Promise<void> {
  await owner.query(
    `INSERT INTO action (id, rollout_id, cluster, namespace, kind, name, action, state, actor_key, actor_name, view_digest, request_hash, request_id, requested_at)
     VALUES ($1, $2, $3, $4, 'Rollout', $5, 'abort', $6, 'x', 'x', 'd', 'h', 'r', now() - make_interval(hours => $7))`,
    [randomUUID(), id, cluster, namespace, name, state, hoursAgo],
  );
}

const rightsTo = (scope: Partial<typeof everywhere>): Rights => ({
  grants: [{ role: "viewer", scope: { ...everywhere, ...scope }, actions: [], breakGlass: false }],
  cap: "viewer",
});

/** A runtime of its own: an answer is kept for each. */
function contextOf(rights = rightsTo({}), limits = limitsOf(4)): ServiceContext {
  const { config: loaded } = web.runtime;
  const config = () => ({
    ...loaded(),
    config: { ...loaded().config, limits: { ...loaded().config.limits, ...limits } },
  });
  return { runtime: { ...web.runtime, config }, actor: { ...actorOf("viewer"), rights }, requestId: "test" };
}

/** The samples of a series, as `labels value`. */
function samplesOf(text: string, name: string): string[] {
  const lines = text.split("\n").filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
  return lines.map((line) => line.slice(name.length).trim());
}

const place = (namespace: string, name: string) =>
  `cluster="demo",namespace="${namespace}",kind="Rollout",name="${name}"`;

describe("the series about rollouts", () => {
  let text: string;
  beforeEach(async () => {
    const series = await getRolloutSeries({ ctx: contextOf(), input: {} });
    expect(series.contentType).toContain("text/plain");
    text = series.text;
  });

  it("say since when what waits, without what a person has put off", () => {
    const seconds = (time: Date) => time.getTime() / 1000;
    expect(samplesOf(text, "gatehouse_rollout_waiting_since_timestamp_seconds")).toEqual([
      `{${place("pay", "early")},reason="pause",severity="warning",team="Pay"} ${seconds(since)}`,
      `{${place("shop", "late")},reason="pause",severity="warning",team=""} ${seconds(later)}`,
    ]);
    expect(samplesOf(text, "gatehouse_rollouts_waiting").toSorted()).toEqual([
      '{cluster="demo",reason="pause",team="",handling="open"} 1',
      '{cluster="demo",reason="pause",team="",handling="snoozed"} 1',
      '{cluster="demo",reason="pause",team="Pay",handling="open"} 1',
    ]);
  });

  it("name as many rollouts as the config allows, and count the others", () => {
    expect(samplesOf(text, "gatehouse_rollout_steps").toSorted()).toEqual([
      `{${place("pay", "early")}} 4`,
      `{${place("shop", "late")}} 4`,
      `{${place("shop", "moving")}} 4`,
      `{${place("shop", "snoozed")}} 4`,
    ]);
    expect(samplesOf(text, "gatehouse_rollouts_left_out")).toEqual(["1"]);
    expect(samplesOf(text, "gatehouse_rollouts").toSorted()).toEqual([
      '{cluster="demo",phase="Healthy",team=""} 1',
      '{cluster="demo",phase="Paused",team=""} 2',
      '{cluster="demo",phase="Paused",team="Pay"} 1',
      '{cluster="demo",phase="Progressing",team=""} 1',
    ]);
  });

  it("have zero as a value, and no sample of what is not known", () => {
    const moving = (name: string) => samplesOf(text, name).filter((line) => line.includes('"moving"'));
    expect(moving("gatehouse_rollout_weight_percent")).toEqual([`{${place("shop", "moving")},of="set"} 0`]);
    expect(moving("gatehouse_rollout_step")).toEqual([]);
  });

  it("tell the verdict of the newest run that has ended", () => {
    expect(samplesOf(text, "gatehouse_rollout_last_verdict_timestamp_seconds")).toEqual([
      `{${place("pay", "early")},verdict="Successful"} ${ended.getTime() / 1000}`,
    ]);
  });

  it("count findings and the actions of a day, and say how long and how recent the record is", () => {
    expect(samplesOf(text, "gatehouse_findings")).toEqual([
      '{cluster="demo",rule="waiting-too-long",severity="warning",state="open"} 2',
    ]);
    expect(samplesOf(text, "gatehouse_actions_last_day").toSorted()).toEqual([
      '{cluster="demo",action="abort",state="effective"} 1',
      '{cluster="demo",action="abort",state="refused"} 1',
    ]);
    expect(samplesOf(text, "gatehouse_history_begins_timestamp_seconds")).toEqual([
      `{cluster="demo",kind="Rollout",namespace=""} ${since.getTime() / 1000}`,
    ]);
    expect(samplesOf(text, "gatehouse_record_last_contact_timestamp_seconds")).toHaveLength(1);
  });
});

describe("who scrapes them", () => {
  it("gets the rollouts of their scope, and the sums of these", async () => {
    const { text } = await getRolloutSeries({ ctx: contextOf(rightsTo({ namespaces: ["shop"] })), input: {} });
    expect(text).not.toContain("early");
    expect(samplesOf(text, "gatehouse_findings")).toEqual([]);
    expect(samplesOf(text, "gatehouse_actions_last_day")).toEqual([
      '{cluster="demo",action="abort",state="refused"} 1',
    ]);
    expect(samplesOf(text, "gatehouse_rollouts_left_out")).toEqual(["0"]);
    const nothing = await getRolloutSeries({ ctx: contextOf(rightsTo({ clusters: ["other"] })), input: {} });
    expect(nothing.text.split("\n").filter((line) => line.startsWith("gatehouse_"))).toEqual([
      "gatehouse_rollouts_left_out 0",
    ]);
  });

  it("shares an answer only with others of the same rights", async () => {
    const ctx = contextOf();
    let statements = 0;
    const pool = new Proxy(ctx.runtime.pool, {
      get: (target, key) => {
        if (key === "query") statements++;
        const value = Reflect.get(target, key);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
    const runtime = { ...ctx.runtime, pool };
    const scrape = async (rights: Rights) =>
      (await getRolloutSeries({ ctx: { ...ctx, runtime, actor: { ...ctx.actor, rights } }, input: {} })).text;
    const [one, other] = await Promise.all([scrape(rightsTo({})), scrape(rightsTo({}))]);
    expect(one).toBe(other);
    expect(statements).toBe(5);
    expect(await scrape(rightsTo({ namespaces: ["pay"] }))).not.toContain("late");
    expect(statements).toBe(10);
  });

  it("gets sums only, if the config names no rollout", async () => {
    const { text } = await getRolloutSeries({ ctx: contextOf(rightsTo({}), limitsOf(0)), input: {} });
    expect(samplesOf(text, "gatehouse_rollouts_left_out")).toEqual(["5"]);
    expect(text).not.toContain('name="');
    expect(samplesOf(text, "gatehouse_rollouts_waiting")).toHaveLength(3);
  });
});
