import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AnalysisRunDetail, AnalysisRunSummary, MeasurementList } from "#lib/contract/analysis-run.ts";
import { AuditItem } from "#lib/contract/audit.ts";
import { listOf } from "#lib/contract/common.ts";
import { Release, RolloutDetail, RolloutSummary } from "#lib/contract/rollout.ts";
import { verifyAudit } from "#lib/server/audit/verify-audit.ts";
import type { RouteHandler } from "#lib/server/edge/http/endpoint.ts";
import { migrate, readSchemaState } from "#lib/server/platform/db/migrate/migrate.ts";
import { migrationsDirectory, readMigrationFiles } from "#lib/server/platform/db/migrate/migration-files.ts";
import { releases, servedFrom } from "#lib/server/platform/db/migrate/releases.ts";
import { listKnownMigrations, readSchemaReadiness } from "#lib/server/platform/db/read-schema-readiness.ts";
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from "#test/database.ts";
import { createTestPool } from "#test/test-pool.ts";
import { startTestWeb, type TestWeb, testOrigin } from "#test/web-runtime.ts";

// What each release wrote is kept, readable, and under the same rights, once its database is migrated to this version.

type Row = [table: string, row: string];

const columnsOf = (pool: pg.Pool) =>
  pool.query<{ grantee: string; line: string }>(
    `SELECT grantee, concat_ws(' ', grantee, privilege_type, table_name, column_name) AS line
     FROM information_schema.column_privileges WHERE grantee LIKE 'gatehouse\\_%' AND table_schema = 'public' ORDER BY 2`,
  );

describe.each(releases)("a database of $version", ({ version, lastMigration }) => {
  const fixture = join(import.meta.dirname, "fixtures/releases", version);
  const rows = readFileSync(join(fixture, "rows.jsonl"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Row);
  const written = Object.entries(Object.groupBy(rows, ([table]) => table)).map(([table, list]) => ({
    table,
    rows: list?.map(([, row]) => row) ?? [],
  }));
  let oldMigrations: string;
  let database: TestDatabase;
  let fresh: TestDatabase;
  let owner: pg.Pool;
  let web: TestWeb | undefined;
  let columns: Map<string, string>;

  beforeAll(async () => {
    oldMigrations = mkdtempSync(join(tmpdir(), "gatehouse-release-"));
    for (const { name } of readMigrationFiles().filter((file) => file.name <= lastMigration))
      cpSync(join(migrationsDirectory, name), join(oldMigrations, name), { recursive: true });
    [database, fresh] = await Promise.all([createEmptyDatabase(), createTestDatabase()]);
    owner = createTestPool(database.ownerUrl, 1);
    await migrate({ url: database.ownerUrl, dir: oldMigrations });
    await owner.query("COMMENT ON TABLE _prisma_migrations IS NULL");
    await insertRows(owner, rows);
    columns = await readColumns(owner);
    await migrate({ url: database.ownerUrl });
  });
  afterAll(async () => {
    await web?.close();
    await owner?.end();
    await Promise.all([database?.drop(), fresh?.drop()]);
    rmSync(oldMigrations, { recursive: true, force: true });
  });

  it("holds what people and recorders of that release write", () => {
    const names = written.map(({ table }) => table);
    for (const table of ["rollout", "observation", "release", "analysis_run", "measurement", "action", "audit_entry"])
      expect(names).toContain(table);
  });

  it("keeps every row as it was", async () => {
    for (const { table, rows: expected } of written) {
      const found = await owner.query<{ row: string }>(
        `SELECT ROW(${columns.get(table)})::text AS row FROM "${table}" ORDER BY 1`,
      );
      expect(found.rows.map(({ row }) => row).sort(), table).toEqual([...expected].sort());
    }
  });

  it("has the schema and the rights of a new database, and an audit chain that is whole", async () => {
    expect(await readSchemaState({ url: database.webUrl })).toMatchObject({ kind: "current" });
    const other = createTestPool(fresh.ownerUrl, 1);
    const wanted = (await columnsOf(other)).rows.filter(({ line }) => !/measurement_\d{4}/.test(line));
    await other.end();
    expect((await columnsOf(owner)).rows.filter(({ line }) => !/measurement_\d{4}/.test(line))).toEqual(wanted);
    const entries = written.find(({ table }) => table === "audit_entry")?.rows.length;
    expect(await verifyAudit({ client: owner })).toMatchObject({ ok: true, entries });
  });

  it("is served by the own check of the last release once a later one has migrated it, and by no older one", async () => {
    const isServed = lastMigration === servedFrom;
    const known = listKnownMigrations(oldMigrations);
    for (const url of [database.webUrl, database.recorderUrl]) {
      const pool = createTestPool(url, 1);
      expect(await readSchemaReadiness({ pool, known })).toMatchObject(isServed ? { ok: true } : { isNewer: true });
      await pool.end();
    }
    const isNewest = readMigrationFiles().at(-1)?.name === lastMigration;
    const servedKind = isNewest ? "current" : "newer";
    const kind = isServed ? servedKind : "refused";
    expect(await readSchemaState({ url: database.webUrl, dir: oldMigrations })).toMatchObject({ kind });
    const again = migrate({ url: database.ownerUrl, dir: oldMigrations });
    await (isServed ? expect(again).resolves.toEqual([]) : expect(again).rejects.toThrow(/newer/));
  });

  it("is read by the API of this version", async () => {
    web = await startTestWeb({ database });
    const count = (table: string) => Math.min(200, written.find((entry) => entry.table === table)?.rows.length ?? 0);
    const rollouts = listOf(RolloutSummary).parse(await read("rollouts", { limit: "200" }));
    expect(rollouts.items).toHaveLength(count("rollout"));
    for (const { uid, cluster, namespace, kind, name } of rollouts.items) {
      const params = { cluster, namespace, kind, name };
      const detail = RolloutDetail.parse(await read("rollouts/[cluster]/[namespace]/[kind]/[name]", params));
      expect(detail.uid).toBe(uid);
      await read("rollouts/[cluster]/[namespace]/[kind]/[name]/timeline", params);
    }
    const runs = listOf(AnalysisRunSummary).parse(await read("analysis-runs", { limit: "200" }));
    expect(runs.items).toHaveLength(count("analysis_run"));
    for (const { uid } of runs.items) {
      const { metrics } = AnalysisRunDetail.parse(await read("analysis-runs/[uid]", { uid }));
      const metric = metrics[0]?.name;
      if (metric !== undefined)
        MeasurementList.parse(await read("analysis-runs/[uid]/measurements", { uid, metric, limit: "200" }));
    }
    const found = listOf(Release).parse(await read("releases", { limit: "200" }));
    expect(found.items).toHaveLength(count("release"));
    for (const { id } of found.items) await read("releases/[id]", { id });
    expect(listOf(AuditItem).parse(await read("audit", { limit: "200" })).items).not.toEqual([]);
    expect(await read("audit/verify", {})).toMatchObject({ ok: true });
  });

  /** Calls the handler of a path below /api/v1; what the path does not name is the query. */
  async function read(path: string, values: Record<string, string>): Promise<unknown> {
    if (web === undefined) throw new Error("not started");
    const { GET } = (await import(join(import.meta.dirname, "../app/api/v1", path, "route.ts"))) as {
      GET: RouteHandler;
    };
    const url = new URL(`/api/v1/${path}`, testOrigin);
    const params: Record<string, string> = {};
    for (const [key, value] of Object.entries(values))
      if (path.includes(`[${key}]`)) params[key] = value;
      else url.searchParams.set(key, value);
    const response = await GET(web.request(url.href, { as: "admin" }), { params: Promise.resolve(params) });
    const answer = await response.json();
    expect(response.status, JSON.stringify(answer)).toBe(200);
    return answer;
  }
});

/** In a release's own text, without its triggers: they have done their part when the rows were written. */
async function insertRows(owner: pg.Pool, rows: readonly Row[]): Promise<void> {
  const client = await owner.connect();
  try {
    await client.query("BEGIN");
    await client.query("SET LOCAL session_replication_role = replica");
    await client.query("SET LOCAL TimeZone = 'UTC'");
    for (const [table, row] of rows) await client.query(`INSERT INTO "${table}" SELECT ($1::"${table}").*`, [row]);
    await client.query("COMMIT");
  } finally {
    client.release();
  }
  await owner.query("SET TimeZone = 'UTC'");
}

async function readColumns(owner: pg.Pool): Promise<Map<string, string>> {
  const { rows } = await owner.query<{ table: string; columns: string }>(
    `SELECT table_name AS table, string_agg(quote_ident(column_name), ', ' ORDER BY ordinal_position) AS columns
     FROM information_schema.columns WHERE table_schema = 'public' GROUP BY 1`,
  );
  return new Map(rows.map(({ table, columns }) => [table, columns]));
}
