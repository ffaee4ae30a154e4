import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BacktestAnswer } from "#lib/contract/backtest.ts";
import { Problem } from "#lib/contract/problem.ts";
import { configOf, openSession, ownNamespace, ownPage } from "#test/hardening/people.ts";
import { insertMeasured } from "#test/measurement-rows.ts";
import { connectRecorded, type MeasurementFields, type Recorded } from "#test/recorded.ts";
import { createTestPool } from "#test/test-pool.ts";
import { startTestWeb, type TestWeb, testOrigin } from "#test/web-runtime.ts";
import { POST } from "./route.ts";

let web: TestWeb;
let recorded: Recorded;
const cookies = new Map<string, string>();

beforeAll(async () => {
  web = await startTestWeb({ config: configOf() });
  recorded = await connectRecorded(web.database.recorderUrl);
  for (const person of ["outsider", "viewer"]) cookies.set(person, (await openSession(web, person)).cookie);
});
afterAll(async () => {
  await recorded.close();
  await web.close();
});

const rate = {
  name: "rate",
  interval: "1s",
  count: 4,
  successCondition: "result[0] >= {{args.min}}",
  provider: { prometheus: { query: "up" } },
};
const spec = { metrics: [rate], args: [{ name: "min", value: "0.95" }] };

type Given = {
  /** A phase that is not Successful comes first: `Failed 0.9`. */
  values: string[];
  phase?: string;
  createdAt?: Date;
  name?: string;
};

async function addRun(rollout: { id: string; namespace: string }, given: Given): Promise<string> {
  const { values, phase = "Successful", createdAt = new Date("2026-03-01T00:00:00Z"), name } = given;
  const measured = values.map((text, index): MeasurementFields => {
    const [value = "", word = "Successful"] = text.split(" ").toReversed();
    return { seq: index + 1, value: `[${value}]`, phase: word, kind: "array", parsed: null };
  });
  const failed = measured.filter((each) => each.phase === "Failed").length;
  const { uid } = await recorded.addRun({
    rolloutId: rollout.id,
    namespace: rollout.namespace,
    phase,
    spec,
    createdAt,
    ...(name === undefined ? {} : { name }),
    metrics: [{ name: "rate", count: values.length, successful: values.length - failed, failed }],
  });
  await recorded.addMeasurements({ rolloutId: rollout.id, uid, metric: "rate", values: measured });
  return uid;
}

async function post(body: unknown, { as = "viewer", signal }: { as?: string; signal?: AbortSignal } = {}) {
  const request = new Request(`${testOrigin}/api/v1/analysis/backtest`, {
    method: "POST",
    headers: { ...ownPage, cookie: cookies.get(as) ?? "" },
    body: JSON.stringify(body),
    ...(signal === undefined ? {} : { signal }),
  });
  const response = await POST(request);
  return { status: response.status, body: (await response.json()) as unknown };
}

async function backtest(body: Record<string, unknown>, as?: string): Promise<BacktestAnswer> {
  const answer = await post({ metric: "rate", proposal: {}, ...body }, as === undefined ? {} : { as });
  expect(answer).toMatchObject({ status: 200 });
  return BacktestAnswer.parse(answer.body);
}

async function refusal(body: Record<string, unknown>): Promise<Problem> {
  const answer = await post({ metric: "rate", proposal: {}, filter: {}, ...body });
  expect(answer.status).toBe(400);
  return Problem.parse(answer.body);
}

const addRollout = () => recorded.addRollout({ namespace: ownNamespace, name: `shop-${randomUUID().slice(0, 8)}` });
const passed = ["0.97", "0.96", "0.99", "0.95"];

describe("a back-test", () => {
  it("replays the runs of a rollout, newest first, and counts the verdicts", async () => {
    const rollout = await addRollout();
    const older = await addRun(rollout, { values: passed });
    const newer = await addRun(rollout, {
      values: ["Failed 0.9"],
      phase: "Failed",
      createdAt: new Date("2026-03-02T00:00:00Z"),
    });
    const answer = await backtest({
      filter: { rollout: rollout.path },
      proposal: { successCondition: "result[0] > {{args.min}}", count: 4 },
    });
    expect(answer.runs.map(({ uid }) => uid)).toEqual([newer, older]);
    expect(answer.totals).toMatchObject({
      runs: 2,
      measurements: 5,
      changed: 1,
      recorded: { Successful: 1, Failed: 1 },
      replayed: { Successful: 1, Failed: 1 },
      proposed: { Failed: 2, undecided: 0 },
    });
    expect(answer.runs[1]).toMatchObject({
      recorded: { run: "Successful", metric: "Successful" },
      proposed: {
        run: { phase: "Failed" },
        metric: { phase: "Failed", seq: 4, text: "failed (1) > failureLimit (0)" },
      },
      firstDifference: { seq: 4, value: "[0.95]", recorded: "Successful", proposed: "Failed", endsProposed: true },
      rollout: { id: rollout.path },
    });
    expect(answer.truncated).toBe(false);
  });

  it("selects by period and number, and says that there are more", async () => {
    const rollout = await addRollout();
    for (const day of [1, 2, 3]) {
      await addRun(rollout, { values: passed, createdAt: new Date(Date.UTC(2026, 2, day)), name: `day-${day}` });
    }
    const names = async (filter: Record<string, unknown>) => {
      const answer = await backtest({ filter: { rollout: rollout.path, ...filter } });
      return [...answer.runs.map(({ name }) => name), answer.truncated];
    };
    expect(await names({})).toEqual(["day-3", "day-2", "day-1", false]);
    expect(await names({ from: "2026-03-02T00:00:00Z" })).toEqual(["day-3", "day-2", false]);
    expect(await names({ to: "2026-03-02T00:00:00Z" })).toEqual(["day-1", false]);
    expect(await names({ limit: 2 })).toEqual(["day-3", "day-2", true]);
  });

  it("selects the runs that were made from any version of a template", async () => {
    const rollout = await addRollout();
    const uid = await addRun(rollout, { values: passed });
    const name = `rate-${randomUUID().slice(0, 8)}`;
    const owner = createTestPool(web.database.ownerUrl);
    const template = randomUUID();
    await owner.query(
      `INSERT INTO analysis_template (uid, cluster, namespace, kind, name, version, spec_hash, resource_version, created_at, updated_at)
       VALUES ($1, 'demo', $2, 'AnalysisTemplate', $3, 1, 'h', '1', now(), now())`,
      [template, ownNamespace, name],
    );
    await owner.query(
      `INSERT INTO analysis_template_version (template_uid, version, spec_hash, spec, resource_version, written_at, observed_at)
       VALUES ($1, 1, 'h', $2, '1', now(), now())`,
      [template, JSON.stringify({ metrics: [rate] })],
    );
    await owner.end();
    const id = `demo/${ownNamespace}/AnalysisTemplate/${name}`;
    const found = await backtest({ filter: { template: id } });
    expect(found.runs.map((run) => run.uid)).toContain(uid);
    expect((await backtest({ filter: { template: id } }, "outsider")).runs).toEqual([]);
    expect((await backtest({ filter: { template: `${id}-other` } })).runs).toEqual([]);
  });

  it("replays only runs that the caller may read, and that have ended", async () => {
    const rollout = await addRollout();
    const uid = await addRun(rollout, { values: passed });
    const running = await addRun(rollout, { values: ["1"], phase: "Running" });
    expect((await backtest({ runUids: [uid, running] })).runs.map((run) => run.uid)).toEqual([uid]);
    expect((await backtest({ runUids: [uid, running] }, "outsider")).runs).toEqual([]);
    expect((await backtest({ runUids: [uid], metric: "other" })).runs).toEqual([]);
  });

  it("is undecided if the record ends too early, and if a gap could matter", async () => {
    const rollout = await addRollout();
    const uid = await addRun(rollout, { values: passed });
    await recorded.client.query(
      "DELETE FROM measurement USING metric WHERE id = metric_id AND run_uid = $1 AND seq = 2",
      [uid],
    );
    await recorded.client.query(
      "INSERT INTO measurement_gap (metric_id, after_seq, count) SELECT id, 1, 1 FROM metric WHERE run_uid = $1",
      [uid],
    );
    const verdict = async (proposal: Record<string, unknown>) => {
      const [run] = (await backtest({ runUids: [uid], proposal })).runs;
      return run?.proposed.run.code ?? run?.proposed.run.phase;
    };
    expect(await verdict({ count: 9 })).toBe("record-ends");
    expect(await verdict({ successCondition: "result[0] > 0.9" })).toBe("gap");
    // The counters tell that the missing one was successful.
    expect(await verdict({ failureLimit: 1 })).toBe("Successful");
    expect(await verdict({ successCondition: "result[0] > 0.98" })).toBe("Failed");
  });

  it("leaves out what was retaken, and takes NaN as a value", async () => {
    const rollout = await addRollout();
    const uid = await addRun(rollout, { values: ["NaN", "0.96", "0.97", "0.99"] });
    await recorded.client.query(
      insertMeasured(
        ["seq", "started_at", "finished_at", "phase", "value", "parsed_kind", "parsed", "superseded"],
        `SELECT $1 AS run_uid, 'rate' AS metric, 2 AS seq, at AS started_at, at AS finished_at, 'Successful' AS phase,
           '[0]' AS value, 'array' AS parsed_kind, NULL::float8 AS parsed, true AS superseded
         FROM (SELECT '2026-03-01T00:00:02.5Z'::timestamptz AS at) t`,
      ),
      [uid],
    );
    const [run] = (
      await backtest({ runUids: [uid], proposal: { failureCondition: "result[0] < 0.9", successCondition: null } })
    ).runs;
    expect(run).toMatchObject({ measurements: 4, proposed: { run: { phase: "Successful" } } });
    const [strict] = (await backtest({ runUids: [uid], proposal: { successCondition: "result[0] >= 0" } })).runs;
    expect(strict).toMatchObject({
      proposed: { run: { phase: "Failed" } },
      firstDifference: { seq: 1, value: "[NaN]" },
    });
  });

  it("reads a long run in several batches", async () => {
    const rollout = await addRollout();
    const long = { ...rate, count: 12_000, failureLimit: -1, consecutiveSuccessLimit: 12_000 };
    const { uid } = await recorded.addRun({
      rolloutId: rollout.id,
      namespace: ownNamespace,
      phase: "Successful",
      spec: { ...spec, metrics: [long] },
      metrics: [{ name: "rate", count: 12_000, successful: 12_000 }],
    });
    await recorded.client.query(
      insertMeasured(
        ["seq", "started_at", "finished_at", "phase", "value", "parsed_kind", "parsed"],
        `SELECT $1 AS run_uid, 'rate' AS metric, n AS seq, t AS started_at, t AS finished_at, 'Successful' AS phase,
           '[' || number || ']' AS value, 'array' AS parsed_kind, number::float8 AS parsed
         FROM generate_series(1, 12000) n,
           LATERAL (SELECT '2026-03-01T00:00:00Z'::timestamptz + n * interval '1 s' AS t,
             CASE n WHEN 11000 THEN '0.95' ELSE '0.99' END AS number) at`,
      ),
      [uid],
    );
    const proposal = { successCondition: "result[0] > 0.95", failureLimit: 0, consecutiveSuccessLimit: null };
    const [run] = (await backtest({ runUids: [uid], proposal })).runs;
    expect(run?.proposed.metric).toMatchObject({ phase: "Failed", seq: 11_000 });
    const whole = await backtest({ runUids: [uid] });
    expect(whole.totals).toMatchObject({ measurements: 12_000, proposed: { Successful: 1 } });
  });

  it("stops if the client has left", async () => {
    const rollout = await addRollout();
    const uid = await addRun(rollout, { values: passed });
    const answer = await post({ metric: "rate", proposal: {}, runUids: [uid] }, { signal: AbortSignal.abort() });
    expect(answer.status).toBe(503);
  });
});

describe("what is refused", () => {
  it("names the position in a condition", async () => {
    const problem = await refusal({ proposal: { successCondition: "result[0] >=" } });
    expect(problem.invalidParams).toEqual([
      {
        name: "proposal.successCondition",
        reason: expect.stringContaining("line 1, column 12"),
        position: { line: 1, column: 12 },
      },
    ]);
  });

  it.each([
    ["a limit that is no number", { proposal: { failureLimit: "many" } }, "proposal.failureLimit"],
    ["a duration without a unit", { proposal: { interval: "5" } }, "proposal.interval"],
    ["a rule that does not exist", { proposal: { limit: 1 } }, "proposal.limit"],
    ["neither runs nor a filter", { filter: undefined }, "filter"],
    ["both", { runUids: ["a"] }, "filter"],
    ["too many runs", { filter: { limit: 1001 } }, "filter.limit"],
    ["a rollout that is none", { filter: { rollout: "checkout" } }, "filter.rollout"],
    ["a template of another kind", { filter: { template: "demo/ns/Rollout/checkout" } }, "filter.template"],
  ])("%s", async (_, body, name) => {
    const problem = await refusal(body);
    expect(problem.code).toBe("invalid_request");
    expect(problem.invalidParams?.map((param) => param.name)).toContain(name);
  });
});
