import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { appendAudit } from "#lib/server/audit/append-audit.ts";
import {
  type EmbeddedPostgres,
  nodeForTypeScript,
  prepareDatabase,
  startEmbeddedPostgres,
} from "#lib/server/platform/embedded-postgres/start-embedded-postgres.ts";
import { programEnvironment } from "#test/program-environment.ts";
import { connectRecorded } from "#test/recorded.ts";
import { createTestPool } from "#test/test-pool.ts";

// The embedded PostgreSQL has no pg_dump. A server with its client programs is Debian's package postgresql.
const packages = "/usr/lib/postgresql";
const newest = (existsSync(packages) ? readdirSync(packages) : [])
  .filter((version) => Number(version) >= 15)
  .sort((one, other) => Number(other) - Number(one))
  .map((version) => join(packages, version))
  .find((folder) => ["postgres", "pg_dump", "pg_restore"].every((name) => existsSync(join(folder, "bin", name))));
if (newest === undefined)
  process.stdout.write("backup and restore are skipped: Debian's package postgresql is missing\n");

let folder: string;
let server: EmbeddedPostgres;
let pools: pg.Pool[] = [];

const file = () => join(folder, "gatehouse.dump");
const passwords = { recorder: "recorder", web: "web" };

beforeAll(async () => {
  if (newest === undefined) return;
  folder = mkdtempSync(join(tmpdir(), "gatehouse-backup-"));
  mkdirSync(join(folder, "logs"));
  server = await startEmbeddedPostgres({
    directory: join(folder, "postgres"),
    ownerPassword: "p@ss:word/",
    logFile: join(folder, "logs/postgres.log"),
    settings: { fsync: "off", synchronous_commit: "off", full_page_writes: "off" },
    binaries: { directory: newest, initdb: join(newest, "bin/initdb"), postgres: join(newest, "bin/postgres") },
  });
  const { status, stderr } = await fillSource();
  expect(stderr).toBe("");
  expect(status).toBe(0);
});
afterAll(async () => {
  if (newest === undefined) return;
  for (const pool of pools) await pool.end();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function fillSource() {
  await createDatabase("source");
  const migrated = gatehouse(["migrate"], "source");
  const owner = poolOf("source");
  await fillRecords();
  const actor = { type: "system" as const, name: "gatehouse" };
  for (let entry = 0; entry < 3; entry++)
    await appendAudit({
      pool: owner,
      entry: { actor, source: "system", code: "token.created", requestId: randomUUID() },
    });
  await owner.query(
    `WITH person AS (INSERT INTO user_account (id, issuer, subject, name) VALUES ($1, 'issuer', 'subject', 'person'))
     INSERT INTO user_session (id, user_id, username, groups, idle_expires_at, absolute_expires_at)
     VALUES ($1, $1, 'person', '{}', now() + interval '1 day', now() + interval '1 day')`,
    [randomUUID()],
  );
  return migrated;
}

async function fillRecords(): Promise<void> {
  const recorded = await connectRecorded(server.ownerUrl("source"));
  await recorded.addSource({});
  const { id: rolloutId } = await recorded.addRollout({});
  await recorded.addObservation({ rolloutId, at: new Date() });
  await recorded.addRelease({ rolloutId });
  const { uid } = await recorded.addRun({ rolloutId, metrics: [{ name: "success-rate" }] });
  const values = [1, 2, 3].map((seq) => ({ seq, value: `0.9${seq}` }));
  await recorded.addMeasurements({ rolloutId, uid, metric: "success-rate", values });
  await recorded.addChange({ kind: "rollout", ref: "x" });
  await recorded.close();
}

async function createDatabase(database: string): Promise<void> {
  await prepareDatabase({ maintenanceUrl: server.ownerUrl("postgres"), database, passwords });
}

function poolOf(database: string): pg.Pool {
  const pool = createTestPool(server.ownerUrl(database), 2);
  pools = [...pools, pool];
  return pool;
}

function gatehouse(args: string[], database: string) {
  const { status, stdout, stderr } = spawnSync(
    nodeForTypeScript(),
    [join(import.meta.dirname, "../bin/cli.ts"), ...args],
    {
      encoding: "utf8",
      env: {
        ...programEnvironment,
        PATH: `${newest}/bin:${process.env.PATH}`,
        DATABASE_MIGRATE_URL: server.ownerUrl(database),
      },
    },
  );
  return { status, stdout, stderr };
}

/** Counts the rows of every table. */
async function countRows(database: string): Promise<Record<string, number>> {
  const { rows } = await poolOf(database).query<{ name: string; count: number }>(
    `SELECT relname AS name,
       (xpath('/row/c/text()', query_to_xml(format('SELECT count(*) AS c FROM %I', relname), false, true, '')))[1]::text::int AS count
     FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace ORDER BY 1`,
  );
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
}

async function listGrants(database: string): Promise<string[]> {
  const { rows } = await poolOf(database).query<{ line: string }>(
    `SELECT grantee || ' ' || privilege_type || ' ' || table_name AS line FROM information_schema.role_table_grants
     WHERE grantee LIKE 'gatehouse_%' ORDER BY 1`,
  );
  return rows.map(({ line }) => line);
}

describe.skipIf(newest === undefined)("gatehouse backup and restore", () => {
  it("bring every row and every right to a new database, but no sessions and no places in the change log", async () => {
    expect(gatehouse(["backup", "--file", file()], "source")).toEqual({
      status: 0,
      stdout: expect.stringMatching(/^backed up to .*gatehouse\.dump, \d+\.\d MB\n$/),
      stderr: "",
    });
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder).filter((name) => name.includes("partial"))).toEqual([]);
    await createDatabase("copy");
    expect(gatehouse(["restore", "--file", file()], "copy")).toEqual({
      status: 0,
      stdout: `restored ${file()}; the audit chain is ok, 3 entries\n`,
      stderr: "",
    });

    const before = await countRows("source");
    expect(before).toMatchObject({ user_session: 1, audit_entry: 3 });
    for (const table of ["rollout", "observation", "release", "analysis_run", "measurement", "change_log"])
      expect(before[table], table).toBeGreaterThan(0);
    expect(await countRows("copy")).toEqual({ ...before, change_log: 0, change_place: 0, user_session: 0 });
    expect(await listGrants("copy")).toEqual(await listGrants("source"));
    expect(gatehouse(["migrate"], "copy").stdout).toBe("up to date\n");
  });

  it("refuse to write over a file, and to restore over tables or from something else", async () => {
    expect(gatehouse(["backup", "--file", file()], "source")).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/gatehouse\.dump exists: name another file/),
    });
    expect(gatehouse(["restore", "--file", file()], "copy")).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/^gatehouse: the database has \d+ tables, .* only into an empty one/),
    });
    await createDatabase("empty");
    const other = join(folder, "other");
    writeFileSync(other, "not a backup");
    expect(gatehouse(["restore", "--file", other], "empty")).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/pg_restore: .*does not appear to be a valid archive/),
    });
    expect(await countRows("empty")).toEqual({});
    expect(gatehouse(["restore"], "empty").status).toBe(2);
  });

  it("say what is missing: the client programs, or newer ones", () => {
    const unknown = gatehouse(["backup", "--file", join(folder, "no"), "--pg-dump", "/nowhere/pg_dump"], "source");
    expect(unknown.stderr).toMatch(
      /^gatehouse: \/nowhere\/pg_dump cannot be run: install .* or name one with --pg-dump/,
    );
    const old = join(folder, "old-pg-dump");
    writeFileSync(old, "#!/bin/sh\necho 'pg_dump (PostgreSQL) 14.9'\n", { mode: 0o755 });
    const refused = gatehouse(["backup", "--file", join(folder, "no"), "--pg-dump", old], "source");
    expect(refused.stderr).toMatch(/is of version 14, and the server of \d+: install/);
    expect(readdirSync(folder).filter((name) => name.startsWith("no"))).toEqual([]);
  });

  it("notice that a backup does not hold what was written", async () => {
    const source = poolOf("source");
    await source.query("ALTER TABLE audit_entry DISABLE TRIGGER USER");
    await source.query("UPDATE audit_entry SET entry = replace(entry, 'gatehouse', 'somebody') WHERE seq = 2");
    const changed = join(folder, "changed.dump");
    expect(gatehouse(["backup", "--file", changed], "source").status).toBe(0);
    await createDatabase("changed");
    expect(gatehouse(["restore", "--file", changed], "changed")).toMatchObject({
      status: 1,
      stdout: "",
      stderr: expect.stringMatching(/^gatehouse: restored, but the audit chain is broken at 2: /),
    });
  });
});
