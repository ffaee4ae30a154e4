import { appendFileSync, copyFileSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { ClusterConfig } from "#lib/server/platform/config/cluster-schema.ts";
import { makeAuditEvent } from "#test/audit-events.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { sharedEvaluations } from "#test/shared-evaluations.ts";
import { createTestPool } from "#test/test-pool.ts";
import { followAuditFiles } from "./follow-files.ts";

const evaluations = sharedEvaluations();
let database: TestDatabase;
let owner: ReturnType<typeof createTestPool>;
let recorder: ReturnType<typeof createTestPool>;
let folder: string;
let path: string;
let cluster: ClusterConfig;
let clusters = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  owner = createTestPool(database.ownerUrl);
  recorder = createTestPool(database.recorderUrl);
  folder = mkdtempSync(join(tmpdir(), "gatehouse-audit-"));
});
beforeEach(() => {
  clusters += 1;
  path = join(folder, `c${clusters}.log`);
  const kubernetesAudit = { file: path };
  cluster = ClusterConfig.parse({ name: `c${clusters}`, server: "http://127.0.0.1:1", kubernetesAudit });
});
afterAll(async () => {
  await owner.end();
  await recorder.end();
  await database.drop();
  rmSync(folder, { recursive: true });
});

const line = (name: string) => `${JSON.stringify(makeAuditEvent({ name }))}\n`;

async function follow(errors: unknown[] = [], gaps: unknown[] = []): Promise<void> {
  const { signal } = new AbortController();
  const onError = (error: unknown) => errors.push(error);
  await followAuditFiles({
    pool: recorder,
    evaluations,
    clusters: [cluster],
    signal,
    onError,
    onGap: (gap) => gaps.push(gap),
  });
}

async function namesStored(): Promise<string[]> {
  const { rows } = await owner.query<{ name: string }>(
    "SELECT name FROM kubernetes_audit_event WHERE cluster = $1 ORDER BY id",
    [cluster.name],
  );
  return rows.map(({ name }) => name);
}

it("stores what was appended since the last pass, through a rotation", async () => {
  writeFileSync(path, line("a") + line("b"));
  await follow();
  expect((await namesStored()).toSorted()).toEqual(["a", "b"]);
  appendFileSync(path, line("c"));
  renameSync(path, `${path}.1`);
  writeFileSync(path, line("d"));
  await follow();
  await follow();
  expect((await namesStored()).toSorted()).toEqual(["a", "b", "c", "d"]);
});

it("reads the rest of a truncated log from its copy, and tells a gap once if there is none", async () => {
  writeFileSync(path, line("a"));
  await follow();
  appendFileSync(path, line("b"));
  copyFileSync(path, `${path}.1`);
  writeFileSync(path, line("c"));
  const gaps: unknown[] = [];
  await follow([], gaps);
  expect([(await namesStored()).toSorted(), gaps]).toEqual([["a", "b", "c"], []]);
  appendFileSync(path, line("lost"));
  writeFileSync(path, line("d"));
  await follow([], gaps);
  await follow([], gaps);
  expect((await namesStored()).toSorted()).toEqual(["a", "b", "c", "d"]);
  expect(gaps).toEqual([{ cluster: cluster.name, path }]);
});

it("goes on where it was after a restart: the place is in the database, not in the process", async () => {
  writeFileSync(path, line("a"));
  await follow();
  await owner.query("DELETE FROM kubernetes_audit_event WHERE cluster = $1", [cluster.name]);
  appendFileSync(path, line("b"));
  await follow();
  expect(await namesStored()).toEqual(["b"]);
});

it("stores the place only together with the events", async () => {
  writeFileSync(path, line("a"));
  await owner.query("REVOKE INSERT ON kubernetes_audit_event FROM gatehouse_recorder");
  const errors: unknown[] = [];
  try {
    await follow(errors);
  } finally {
    await owner.query("GRANT INSERT ON kubernetes_audit_event TO gatehouse_recorder");
  }
  expect(errors).toHaveLength(1);
  await follow();
  expect(await namesStored()).toEqual(["a"]);
});

it("stores an event once that came by the webhook too, and leaves out what is none", async () => {
  const event = JSON.stringify(makeAuditEvent({ name: "a" }));
  writeFileSync(path, `${event}\n{"kind":"Ev\nnull\n[]\n${event}\n${line("b")}`);
  await follow();
  expect(await namesStored()).toHaveLength(2);
});

it("reports a log that is missing, and reads it once it is there", async () => {
  const errors: unknown[] = [];
  await follow(errors);
  expect(String(errors[0])).toContain("ENOENT");
  writeFileSync(path, line("a"));
  await follow();
  expect(await namesStored()).toEqual(["a"]);
});
