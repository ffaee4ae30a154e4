import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { sendMessage } from "#lib/server/notify/channels/send-message.ts";
import { type AlertmanagerDouble, startAlertmanager } from "#test/alertmanager-double.ts";
import { type CrashPoint, createCrashingPool, createFuse, type Fuse } from "#test/crashing-pool.ts";
import { createNotifyWorld } from "#test/notify-world.ts";
import { type PagerDutyDouble, startPagerDuty } from "#test/pagerduty-double.ts";

let pagerDuty: PagerDutyDouble;
let alertmanager: AlertmanagerDouble;
let world: Awaited<ReturnType<typeof createNotifyWorld>>;
let round = 0;

beforeAll(async () => {
  pagerDuty = await startPagerDuty();
  alertmanager = await startAlertmanager();
  world = await createNotifyWorld((fileOf) => ({
    channels: [
      {
        ...{ name: "duty", type: "pagerduty", apiUrl: pagerDuty.url },
        routingKey: fileOf("key", "0123456789abcdef0123456789abcdef"),
      },
      { name: "alerts", type: "alertmanager", url: alertmanager.url },
    ],
    routes: [{ name: "all", to: ["duty", "alerts"] }],
  }));
});
afterAll(async () => {
  expect([...pagerDuty.faults, ...alertmanager.faults]).toEqual([]);
  await Promise.all([pagerDuty.close(), alertmanager.close(), world.close()]);
});

/** Runs the recorder's part until it dies, or until nothing is left to do. Each pass is after the claims of the last. */
async function live(fuse: Fuse): Promise<void> {
  const own = createCrashingPool(world.pool, fuse);
  const memory = new Set<string>();
  for (let pass = 0; pass < 20; pass++) {
    world.advance(61);
    try {
      await world.pass({
        ...{ own, memory, pace: { windowMs: 0, perMinute: 20 } },
        send: (channel, sending) => fuse.run(() => sendMessage(channel, sending)),
      });
    } catch (error) {
      if (fuse.isBlown()) return;
      throw error;
    }
    if (fuse.isBlown()) return;
    const [left] = await world.query(
      `SELECT (SELECT count(*) FROM attention_change) + (SELECT count(*) FROM notification_pending)
         + (SELECT count(*) FROM notification WHERE state IN ('queued', 'sending'))::int AS left`,
    );
    if (Number(left?.left) === 0) return;
  }
  throw new Error("it was never done");
}

const phases = ["begin", "claim", "end"] as const;
type Deaths = Partial<Record<(typeof phases)[number], readonly CrashPoint[]>>;

/** Plays two waits from their beginning to their end with these deaths. Returns the steps of each phase without one. */
async function play(deaths: Deaths): Promise<Record<(typeof phases)[number], number>> {
  round += 1;
  const names = [`one-${round}`, `two-${round}`];
  const known = new Set(pagerDuty.incidents.keys());
  const pages = pagerDuty.pages();
  const steps = { begin: 0, claim: 0, end: 0 };
  const pass = async (phase: (typeof phases)[number]) => {
    for (const point of deaths[phase] ?? []) await live(createFuse(point));
    const last = createFuse();
    await live(last);
    steps[phase] = last.steps();
    return [...pagerDuty.incidents].filter(([key]) => !known.has(key)).map(([, { state }]) => state);
  };

  await world.beginWaits(names);
  expect(await pass("begin")).toEqual(["triggered"]);
  expect(alertmanager.openAt(world.now())).toEqual(names.toSorted());
  await world.query(
    `INSERT INTO wait_mark (rollout_id, kind, id, view_digest, attention_reason, attention_since, revision_key, until,
       marked_by, marked_by_name)
     SELECT id, 'claim', $2, '', attention_reason, attention_since, '', 'infinity', 'x', 'Oncall' FROM rollout
      WHERE name = $1`,
    [names[0], randomUUID()],
  );
  expect(await pass("claim")).toEqual(["acknowledged"]);
  await world.endWaits(names);
  expect(await pass("end")).toEqual(["resolved"]);
  expect(alertmanager.openAt(world.now())).toEqual([]);
  // However often messages were repeated, a person was paged once.
  expect(pagerDuty.pages() - pages).toBe(1);
  return steps;
}

it("opens, acknowledges and resolves once if nobody dies", async () => {
  const { begin, claim, end } = await play({});
  expect(Math.min(begin, claim, end)).toBeGreaterThan(5);
});

it.each(phases)("loses nothing and pages once, wherever it dies at the %s", async (phase) => {
  const steps = (await play({}))[phase];
  for (let step = 1; step <= steps; step++)
    for (const when of ["before", "after"] as const) await play({ [phase]: [{ step, when }] });
});

it("survives dying again and again", async () => {
  const point = fc.record({
    step: fc.integer({ min: 1, max: 60 }),
    when: fc.constantFrom("before" as const, "after" as const),
  });
  const points = fc.array(point, { maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(fc.record({ begin: points, claim: points, end: points }), async (deaths) => {
      await play(deaths);
    }),
    { numRuns: 15 },
  );
});
