import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectRecorded, type Recorded } from "#test/recorded.ts";
import { startTestWeb, type TestWeb } from "#test/web-runtime.ts";
import * as exportRoute from "./[uid]/export/route.ts";
import * as measurementsRoute from "./[uid]/measurements/route.ts";

let web: TestWeb;
let recorded: Recorded;
beforeAll(async () => {
  web = await startTestWeb();
  recorded = await connectRecorded(web.database.recorderUrl);
});
afterAll(async () => {
  await recorded.close();
  await web.close();
});

/** More than two pages of an export. */
const count = 1203;

async function addLongRun(): Promise<string> {
  const rollout = await recorded.addRollout();
  const { uid } = await recorded.addRun({
    rolloutId: rollout.id,
    name: "long/run",
    metrics: [{ name: "m" }, { name: "n" }],
  });
  const values = Array.from({ length: count }, (_, index) => ({
    seq: index + 1,
    ...(index === 7 ? { value: "=1+1", kind: "string", parsed: null } : { value: String(index) }),
    phase: index % 100 === 0 ? "Failed" : "Successful",
  }));
  await recorded.addMeasurements({ rolloutId: rollout.id, uid, metric: "m", values });
  await recorded.addMeasurements({ rolloutId: rollout.id, uid, metric: "n", values: [{ seq: 1, value: "0" }] });
  return uid;
}

async function addNoted(): Promise<string> {
  const rollout = await recorded.addRollout();
  const { uid } = await recorded.addRun({
    rolloutId: rollout.id,
    createdAt: new Date("2026-03-01T00:00:00Z"),
    metrics: [{ name: "m", count: 1 }],
  });
  await recorded.addMeasurements({ rolloutId: rollout.id, uid, metric: "m", values: [{ seq: 1, value: "0" }] });
  await recorded.client.query(`UPDATE metric SET metadata = '{"ResolvedPrometheusQuery":"up"}' WHERE run_uid = $1`, [
    uid,
  ]);
  await recorded.client.query(
    `UPDATE measurement SET metadata = '{"job-name":"check"}' FROM metric WHERE id = metric_id AND run_uid = $1`,
    [uid],
  );
  return uid;
}

async function read(uid: string, query: string): Promise<Response> {
  const request = web.request(`/api/v1/analysis-runs/${uid}/export?${query}`, { as: "viewer" });
  return exportRoute.GET(request, { params: Promise.resolve({ uid }) });
}

describe("the export of a run", () => {
  it("is a table of every measurement, over many pages, with harmless cells and a harmless file name", async () => {
    const uid = await addLongRun();
    const response = await read(uid, "format=csv");
    expect(response.headers.get("content-disposition")).toBe('attachment; filename="gatehouse-long_run.csv"');
    const lines = (await response.text()).trimEnd().split("\r\n");
    expect(lines).toHaveLength(count + 2);
    expect(lines[0]).toMatch(/^metric,number,/);
    expect(lines.filter((line) => line.startsWith("m,")).map((line) => Number(line.split(",")[1]))).toEqual(
      Array.from({ length: count }, (_, index) => index + 1),
    );
    expect(lines[8]).toContain(",'=1+1,");
  });

  it("is one JSON document with the run", async () => {
    const uid = await addLongRun();
    const document = (await (await read(uid, "format=json")).json()) as {
      run: { uid: string; metrics: unknown[] };
      measurements: { metric: string; seq: number; value: string }[];
    };
    expect(document.run.uid).toBe(uid);
    expect(document.run.metrics).toHaveLength(2);
    expect(document.measurements).toHaveLength(count + 1);
    expect(document.measurements[7]).toMatchObject({ metric: "m", seq: 8, value: "=1+1" });
  });

  it("has what the sources of the metrics noted", async () => {
    const uid = await addNoted();
    expect(await (await read(uid, "format=csv")).text()).toContain(',"{""job-name"":""check""}"');
    expect(await (await read(uid, "format=json")).json()).toMatchObject({
      run: {
        metrics: [{ metadata: { ResolvedPrometheusQuery: "up" } }],
        evidence: [{ metadata: { "job-name": "check" } }],
      },
      measurements: [{ metadata: { "job-name": "check" } }],
    });
  });

  it("can be of one metric, and of one that nothing was measured of", async () => {
    const uid = await addLongRun();
    expect((await (await read(uid, "metric=n")).text()).trimEnd().split("\r\n")).toHaveLength(2);
    const none = (await (await read(uid, "format=json&metric=none")).json()) as { measurements: unknown[] };
    expect(none.measurements).toEqual([]);
  });

  it("is not found if the run is not", async () => {
    expect((await read("nothing", "format=csv")).status).toBe(404);
    expect((await read("nothing", "format=xml")).status).toBe(400);
  });
});

describe("the list of measurements", () => {
  async function list(uid: string, query: string) {
    const request = web.request(`/api/v1/analysis-runs/${uid}/measurements?metric=m&${query}`, { as: "viewer" });
    const response = await measurementsRoute.GET(request, { params: Promise.resolve({ uid }) });
    return (await response.json()) as { items: { seq: number; phase: string }[]; nextCursor: string | null };
  }

  it("pages in reverse without a hole", async () => {
    const uid = await addLongRun();
    const seqs: number[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const page = await list(uid, `order=desc&limit=500${cursor === "" ? "" : `&cursor=${cursor}`}`);
      seqs.push(...page.items.map(({ seq }) => seq));
      cursor = page.nextCursor;
    }
    expect(seqs).toEqual(Array.from({ length: count }, (_, index) => count - index));
  });

  it("leaves out the successful ones", async () => {
    const uid = await addLongRun();
    const { items, nextCursor } = await list(uid, "only=unsuccessful&order=desc");
    expect(items.map(({ seq }) => seq)).toEqual(Array.from({ length: 13 }, (_, index) => 1201 - index * 100));
    expect(nextCursor).toBeNull();
  });
});
