import type { Pool } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { rolloutIdOf } from "#lib/domain/delivery/rollout-id.ts";
import { storeMessages } from "#lib/server/webhooks/store-messages.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { deriveAllRuns, readRealFlaggerLines, recordFlagger, uidIn } from "#test/flagger-recording.ts";
import { storedGaps, storedMeasurements } from "#test/measurement-rows.ts";
import { createTestPool } from "#test/test-pool.ts";
import { linkMessages } from "./notice-messages.ts";
import { packDueRuns } from "./pack-runs.ts";

const lines = readRealFlaggerLines();
const cluster = "real";
let database: TestDatabase;
let owner: Pool;
let recorder: Pool;
let web: Pool;

beforeAll(async () => {
  database = await createTestDatabase();
  owner = createTestPool(database.ownerUrl, 2);
  recorder = createTestPool(database.recorderUrl, 4);
  web = createTestPool(database.webUrl, 2);
});
afterAll(async () => {
  await Promise.all([owner.end(), recorder.end(), web.end()]);
  await database.drop();
});

async function rowsOf<Row extends object>(sql: string, values: unknown[] = []): Promise<Row[]> {
  return (await owner.query<Row>(sql, values)).rows;
}

const signs: Record<string, string> = { Successful: "+", Failed: "-", Error: "!" };

/** Each run as its phase, with its measurements: `+` passed, `-` failed, `!` error, with number and value. */
async function readRuns(as = cluster): Promise<Record<string, string>> {
  const runs = await rowsOf<{ name: string; phase: string; key: string; uid: string }>(
    "SELECT uid, owner_name AS name, phase, pod_hash AS key FROM analysis_run WHERE cluster = $1 ORDER BY name",
    [as],
  );
  const found: Record<string, string> = {};
  for (const { uid, name, phase } of runs) {
    const measurements = await rowsOf<{ metric: string; seq: number; phase: string; value: string | null }>(
      `SELECT metric, seq, phase, value FROM ${storedMeasurements()} WHERE run_uid = $1 ORDER BY metric, seq`,
      [uid],
    );
    const gaps = await rowsOf<{ after_seq: number; count: number }>(
      `SELECT after_seq, count FROM ${storedGaps()} WHERE run_uid = $1 ORDER BY after_seq`,
      [uid],
    );
    const words = measurements.map(
      (each) => `${signs[each.phase] ?? each.phase}${each.seq}${each.value === null ? "" : `=${each.value}`}`,
    );
    const holes = gaps.map(({ after_seq, count }) => `gap after ${after_seq}: ${count} or more`);
    found[name] = [phase, ...words, ...holes].join(" ");
  }
  return found;
}

/** A row of every table that a run is stored in, without the times of writing. */
async function readStored(as: string): Promise<unknown> {
  return rowsOf(
    `SELECT a.uid, a.name, a.resource_version, a.phase, a.message, a.started_at, a.completed_at, a.spec,
            (SELECT jsonb_agg(to_jsonb(t) - 'id' ORDER BY t.name) FROM metric t WHERE t.run_uid = a.uid) AS metrics,
            (SELECT jsonb_agg(m ORDER BY m.metric, m.seq) FROM ${storedMeasurements("m")} WHERE m.run_uid = a.uid) AS measurements,
            (SELECT jsonb_agg(to_jsonb(g) ORDER BY g.metric, g.after_seq)
               FROM ${storedGaps("g")} WHERE g.run_uid = a.uid) AS gaps
       FROM analysis_run a WHERE a.cluster = $1 ORDER BY a.uid`,
    [as],
  );
}

const runs = {
  "f-ok": "Successful +1 +2 +3",
  "f-fail": "Failed -1=0.2 -2=0.2 -3=0.2",
  "f-bg": "Successful +1 +2 +3 +4",
  // Rounds that pass while it waits for its promotion are silent.
  "f-wait": "Successful +1 +2 +3 +4 gap after 3: 0 or more",
  "f-primdl": "Error",
  "f-primdlbg": "Successful +1 +2 +3 +4",
  "f-primrec": "Successful +1 +2 +3",
  "f-primfail": "Successful +1 +2 +3",
  "f-primfailbg": "Successful +1 +2 +3 +4",
};

describe("what the real Flagger did, as the recorder stores it", () => {
  beforeAll(async () => {
    await recordFlagger(recorder, lines, cluster);
    await deriveAllRuns(recorder);
  });

  it("has the runs that its messages tell of", async () => {
    expect(await readRuns()).toEqual(runs);
  });

  it("has no values but those that were told, and says which are inferred", async () => {
    const rows = await rowsOf(
      `SELECT DISTINCT phase, parsed_kind, parsed, started_at = finished_at AS is_moment,
              CASE WHEN message LIKE 'inferred: %' THEN 'inferred' ELSE message END AS message
         FROM ${storedMeasurements()} ORDER BY phase`,
    );
    expect(rows).toEqual([
      {
        phase: "Failed",
        parsed_kind: "number",
        parsed: 0.2,
        is_moment: true,
        message: "Halt f-fail.canary advancement success 0.20 < 0.9",
      },
      { phase: "Successful", parsed_kind: "empty", parsed: null, is_moment: true, message: "inferred" },
    ]);
  });

  it("has each run in its release, with Flagger's times", async () => {
    const rows = await rowsOf(
      `SELECT a.name, a.kind, a.type, a.presence, a.message, a.started_at, a.completed_at, l.state
         FROM analysis_run a JOIN release l ON l.rollout_id = a.rollout_id AND l.run_key = a.pod_hash
        WHERE a.owner_name = 'f-fail'`,
    );
    expect(rows).toEqual([
      {
        name: "f-fail-7dbcfcc999",
        kind: "Canary",
        type: "Release",
        presence: "derived",
        message: "Halt f-fail.canary advancement success 0.20 < 0.9",
        started_at: new Date("2026-11-22T07:08:24Z"),
        completed_at: new Date("2026-11-22T07:09:15Z"),
        state: "aborted",
      },
    ]);
  });

  it("has the releases, their waits and their weights", async () => {
    const rows = await rowsOf<{ name: string; words: string }>(
      `SELECT r.name, concat_ws(' ', l.run_key, l.state, round(extract(epoch FROM l.ended_at - l.started_at)) || ' s,',
                'weight ' || (o.projection #>> '{memory,peakWeight}'), 'checks ' || (o.projection #>> '{memory,peakFailedChecks}'),
                'waited ' || round(extract(epoch FROM first.observed_at - l.started_at)) || ' s') AS words
         FROM release l JOIN rollout r ON r.id = l.rollout_id
         CROSS JOIN LATERAL (SELECT projection FROM observation WHERE rollout_id = r.id AND run_key = l.run_key
                              ORDER BY id DESC LIMIT 1) o
         CROSS JOIN LATERAL (SELECT min(observed_at) AS observed_at FROM observation
                              WHERE rollout_id = r.id AND run_key = l.run_key) first
        WHERE r.cluster = $1 AND l.message NOT IN ('first deployment', 'already running when first seen')
          AND r.name IN ('f-ok', 'f-fail', 'f-wait', 'f-bg') ORDER BY r.name`,
      [cluster],
    );
    expect(Object.fromEntries(rows.map(({ name, words }) => [name, words]))).toEqual({
      "f-bg": "6b9f99457d promoted 69 s, weight 0 checks 0 waited 0 s",
      "f-fail": "7dbcfcc999 aborted 51 s, weight 20 checks 3 waited 0 s",
      "f-ok": "798f6f4f65 promoted 70 s, weight 60 checks 0 waited 0 s",
      "f-wait": "5589bf7fd8 promoted 130 s, weight 60 checks 0 waited 34 s",
    });
  });

  it("tells open pages about the runs", async () => {
    const rows = await rowsOf(
      "SELECT DISTINCT object_kind, name FROM change_log WHERE kind = 'analysis-run' AND name = 'f-fail'",
    );
    expect(rows).toEqual([{ object_kind: "Canary", name: "f-fail" }]);
  });

  it("stays the same when a recorder begins anew and everything comes again", async () => {
    const counted = "SELECT count(*)::int AS messages, sum(count)::int AS told FROM controller_message";
    const before = { stored: await readStored(cluster), messages: await rowsOf(counted) };
    await recordFlagger(recorder, lines, cluster);
    await owner.query("UPDATE rollout SET runs_due = true");
    await deriveAllRuns(recorder);
    expect({ stored: await readStored(cluster), messages: await rowsOf(counted) }).toEqual(before);
  });
});

describe("a message that the webhook told too", () => {
  const text = "Halt f-fail.canary advancement success 0.20 < 0.9";
  const name = "f-fail";
  const found = lines.find(({ object }) => object.kind === "Canary" && object.metadata.name === name)?.object.metadata;

  const own = lines.filter(
    ({ object }) => object.involvedObject?.name === name || [name, `${name}-primary`].includes(object.metadata.name),
  );

  const tell = (as: string, message: string, at: string) => tellAll(as, [{ message, at: Date.parse(at) }]);

  function tellAll(as: string, reported: readonly { message: string; at: number }[]) {
    const uid = uidIn(as, found?.uid ?? "");
    const rolloutId = rolloutIdOf({ cluster: as, namespace: "canary", kind: "Canary", name, uid });
    return storeMessages(
      web,
      reported.map(({ message, at }) => ({
        ...{ cluster: as, namespace: "canary", name, canary: { uid, rolloutId }, type: "Warning", message },
        ...{ controllerTimeMs: at, phase: "Progressing", checksum: undefined },
      })),
    );
  }

  it.each([
    { order: "before its event", as: "first", isBefore: true, stored: ["kubernetes", "kubernetes", "webhook"] },
    {
      order: "after its event",
      as: "late",
      isBefore: false,
      stored: ["kubernetes", "kubernetes", "kubernetes", "webhook"],
    },
  ])("makes one measurement if it comes $order", async ({ as, isBefore, stored }) => {
    const at = "2026-11-22T07:08:58.412Z";
    if (isBefore) await tell(as, text, at);
    await recordFlagger(recorder, own, as);
    if (!isBefore) await tell(as, text, at);
    await deriveAllRuns(recorder);
    expect((await readRuns(as))[name]).toBe(runs[name]);
    const rows = await rowsOf<{ source: string }>(
      "SELECT source FROM controller_message WHERE cluster = $1 AND message = $2 ORDER BY source",
      [as, text],
    );
    expect(rows.map(({ source }) => source)).toEqual(stored);
  });

  it("is derived in a thread with thousands of others, and no more once they are too large", async () => {
    const as = "many";
    await recordFlagger(recorder, own, as);
    const times = Array.from({ length: 1500 }, (_, second) => Date.parse("2026-11-22T07:08:00Z") + second);
    await tellAll(
      as,
      times.map((at) => ({ message: "said by somebody else", at })),
    );
    await deriveAllRuns(recorder);
    expect((await readRuns(as))[name]).toBe(runs[name]);
    await tellAll(
      as,
      times.slice(0, 600).map((at) => ({ message: "x".repeat(60_000), at })),
    );
    await tell(as, text, "2026-11-22T07:08:33.500Z");
    await deriveAllRuns(recorder);
    expect((await readRuns(as))[name]).toBe(runs[name]);
    const due = await rowsOf("SELECT name FROM rollout WHERE cluster = $1 AND runs_due", [as]);
    expect(due).toEqual([]);
  });

  it("fills what the events left out, and shows a wait for a step", async () => {
    const as = "wait";
    const until = Date.parse("2026-11-22T07:08:40Z");
    await recordFlagger(
      recorder,
      own.filter(({ at }) => Date.parse(at) < until),
      as,
    );
    const readAttention = () =>
      rowsOf("SELECT attention_reason, attention_since FROM rollout WHERE cluster = $1 AND name = $2", [as, name]);
    await deriveAllRuns(recorder);
    expect(await readAttention()).toEqual([{ attention_reason: null, attention_since: null }]);
    const waiting = `Halt ${name}.canary advancement waiting for traffic increase approval gate`;
    await tell(as, waiting, "2026-11-22T07:08:45.250Z");
    await tell(as, waiting, "2026-11-22T07:08:55.250Z");
    await deriveAllRuns(recorder);
    expect(await readAttention()).toEqual([
      { attention_reason: "gate", attention_since: new Date("2026-11-22T07:08:45.250Z") },
    ]);
    // Each refusal is a round that passed.
    expect((await readRuns(as))[name]).toBe("Running +1 +2");
    // Even if it was packed, it goes on.
    await owner.query("UPDATE analysis_run SET completed_at = now() - interval '31 days' WHERE cluster = $1", [as]);
    expect(await packDueRuns(recorder)).toBe(1);
    await owner.query("UPDATE analysis_run SET completed_at = NULL WHERE cluster = $1", [as]);
    expect((await readRuns(as))[name]).toBe("Running +1 +2");
    await tell(as, waiting, "2026-11-22T07:09:05.250Z");
    await tell(as, `Advance ${name}.canary canary weight 40`, "2026-11-22T07:09:15.250Z");
    await deriveAllRuns(recorder);
    expect(await readAttention()).toEqual([{ attention_reason: null, attention_since: null }]);
    expect((await readRuns(as))[name]).toBe("Running +1 +2 +3 +4");
    expect(await rowsOf("SELECT measurements_packed FROM analysis_run WHERE cluster = $1", [as])).toEqual([
      { measurements_packed: false },
    ]);
  });

  it("is linked to its canary if it came before that was known, and not to one that came much later", async () => {
    const said = (as: string) => ({
      ...{ cluster: as, namespace: "canary", name, canary: undefined, type: "Normal", message: "all is well" },
      ...{ controllerTimeMs: Date.parse("2026-11-22T07:06:52Z"), phase: "", checksum: undefined },
    });
    await storeMessages(web, [said("early"), said("strange")]);
    const first = own.filter(({ object }) => object.kind === "Canary").slice(0, 3);
    for (const as of ["early", "strange"]) await recordFlagger(recorder, first, as);
    await owner.query("UPDATE rollout SET first_seen_at = now() + interval '1 hour' WHERE cluster = 'strange'");
    expect(await linkMessages(recorder)).toBe(1);
    const rows = await rowsOf(
      `SELECT m.cluster, m.uid = r.uid AS is_linked FROM controller_message m
         LEFT JOIN rollout r ON r.id = m.rollout_id WHERE m.message = 'all is well' ORDER BY m.cluster`,
    );
    expect(rows).toEqual([
      { cluster: "early", is_linked: true },
      { cluster: "strange", is_linked: null },
    ]);
  });
});
