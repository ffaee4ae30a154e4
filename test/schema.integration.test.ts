import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from "./database.ts";
import { recordedTables } from "./recorded-tables.ts";

const root = join(import.meta.dirname, "..");
/** The runner's table, and a view. */
const onlyInSql = ["_prisma_migrations", "recorded_measurement"];

let migrated: TestDatabase;
let fromSchema: TestDatabase;

async function withClient<Result>(url: string, use: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

async function listColumns(url: string): Promise<string[]> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ column: string; table: string }>(
      `SELECT c.table_name AS table, concat_ws(' ', c.table_name || '.' || c.column_name, c.udt_name, c.is_nullable) AS column
       FROM information_schema.columns c WHERE c.table_schema = 'public' ORDER BY 2`,
    );
    return rows
      .filter(({ table }) => !onlyInSql.includes(table) && !/^measurement_(default|\d{4}_\d{2})$/.test(table))
      .map(({ column }) => column);
  });
}

async function listForeignKeys(url: string): Promise<string[]> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ key: string }>(
      `SELECT concat_ws(' ', conrelid::regclass, pg_get_constraintdef(oid)) AS key FROM pg_constraint
       WHERE contype = 'f' ORDER BY 1`,
    );
    return rows.map(({ key }) => key);
  });
}

beforeAll(async () => {
  [migrated, fromSchema] = await Promise.all([createTestDatabase(), createEmptyDatabase()]);
  const { stdout } = await promisify(execFile)(process.execPath, [join(root, "scripts/schema-sql.mjs")], {
    cwd: root,
    env: { NODE_ENV: "test", DATABASE_URL: fromSchema.ownerUrl },
    maxBuffer: 10_000_000,
  });
  await withClient(fromSchema.ownerUrl, (client) => client.query(stdout));
});

afterAll(async () => {
  await Promise.all([migrated?.drop(), fromSchema?.drop()]);
});

describe("the migrations", () => {
  it("lead to the tables and columns that prisma/schema.prisma describes", async () => {
    const wanted = await listColumns(fromSchema.ownerUrl);
    expect(wanted.length).toBeGreaterThan(100);
    expect(await listColumns(migrated.ownerUrl)).toEqual(wanted);
  });

  it("lead to the relations that prisma/schema.prisma describes", async () => {
    const wanted = await listForeignKeys(fromSchema.ownerUrl);
    expect(wanted.length).toBeGreaterThan(35);
    expect(await listForeignKeys(migrated.ownerUrl)).toEqual(wanted);
  });
});

describe("the audit log in the database", () => {
  const insert = `INSERT INTO audit_entry (seq, time, entry, entry_hash, previous_hash, hash, code, source, actor_name)
    VALUES ($1, now(), '{}', 'a', 'b', $2, 'test', 'system', 'test')`;

  it.each(["ownerUrl", "webUrl", "recorderUrl"] as const)(
    "takes an entry and never a change, from %s",
    async (role) => {
      await withClient(migrated[role], async (client) => {
        const seq = ["ownerUrl", "webUrl", "recorderUrl"].indexOf(role) + 1;
        await client.query(insert, [seq, `hash-${role}`]);
        const refused = { code: "42501" };
        await expect(client.query("UPDATE audit_entry SET code = 'x' WHERE seq = $1", [seq])).rejects.toMatchObject(
          refused,
        );
        await expect(client.query("DELETE FROM audit_entry WHERE seq = $1", [seq])).rejects.toMatchObject(refused);
        await expect(client.query("TRUNCATE audit_entry CASCADE")).rejects.toMatchObject(refused);
      });
    },
  );
});

describe("the roles", () => {
  const refused = { code: "42501" };
  it.each([
    { role: "webUrl", may: false, sql: "UPDATE rollout SET phase = 'Healthy'" },
    { role: "webUrl", may: false, sql: "DELETE FROM measurement" },
    { role: "webUrl", may: false, sql: "UPDATE evidence SET content = ''" },
    { role: "webUrl", may: true, sql: "UPDATE api_token SET revoked_at = now()" },
    { role: "recorderUrl", may: false, sql: "SELECT * FROM api_token" },
    { role: "recorderUrl", may: false, sql: "SELECT * FROM user_session" },
    { role: "recorderUrl", may: true, sql: "UPDATE rollout SET phase = 'Healthy'" },
    { role: "recorderUrl", may: true, sql: "SELECT ensure_measurement_partition('2031-02-03')" },
    { role: "webUrl", may: false, sql: "DELETE FROM source_hold" },
    { role: "webUrl", may: false, sql: "UPDATE source_release SET done_at = now()" },
    { role: "recorderUrl", may: false, sql: "DELETE FROM source_release" },
    // Their rows take what people did with them.
    { role: "recorderUrl", may: false, sql: "DELETE FROM cluster" },
    { role: "recorderUrl", may: false, sql: "DELETE FROM source" },
    { role: "recorderUrl", may: false, sql: "DELETE FROM rollout" },
    { role: "webUrl", may: false, sql: "SELECT ensure_measurement_partition('2031-03-03')" },
    { role: "webUrl", may: true, sql: "INSERT INTO config_event (code, content) VALUES ('config.loaded', 'a')" },
    { role: "recorderUrl", may: true, sql: "SELECT * FROM config_event" },
    { role: "recorderUrl", may: false, sql: "INSERT INTO config_event (code, content) VALUES ('config.loaded', 'a')" },
    // The recorder cannot accept a held config.
    {
      role: "recorderUrl",
      may: false,
      sql: "INSERT INTO config_event (code, content) VALUES ('config.confirmed', 'a b')",
    },
    { role: "webUrl", may: false, sql: "UPDATE retention_run SET holder = NULL" },
    { role: "webUrl", may: false, sql: "SELECT drop_measurement_partition('2020-01-01', '2021-01-01')" },
    { role: "recorderUrl", may: true, sql: "SELECT drop_measurement_partition('2020-01-01', '2021-01-01')" },
    { role: "recorderUrl", may: false, sql: "DROP TABLE measurement_default" },
    { role: "webUrl", may: false, sql: "SELECT drop_packed_measurement_partition('2020-01-01')" },
    { role: "recorderUrl", may: true, sql: "SELECT drop_packed_measurement_partition('2020-01-01')" },
    { role: "webUrl", may: true, sql: "SELECT * FROM recorded_measurement" },
    { role: "webUrl", may: false, sql: "DELETE FROM packed_measurement" },
    // A decision can be voided and nothing else, and only the web process makes one.
    { role: "webUrl", may: false, sql: "UPDATE gate_decision SET verdict = 'approve'" },
    { role: "webUrl", may: false, sql: "UPDATE gate_decision SET expires_at = now() + interval '1 day'" },
    { role: "webUrl", may: false, sql: "DELETE FROM gate_decision" },
    { role: "webUrl", may: true, sql: "UPDATE gate_decision SET voided_at = now()" },
    { role: "recorderUrl", may: true, sql: "UPDATE gate_decision SET voided_at = now()" },
    { role: "recorderUrl", may: false, sql: "INSERT INTO gate_decision SELECT * FROM gate_decision" },
    { role: "recorderUrl", may: false, sql: "SELECT * FROM hook_credential" },
    // It sends to the channels that an admin made, and cannot make one.
    { role: "recorderUrl", may: true, sql: "SELECT * FROM setting" },
    { role: "recorderUrl", may: false, sql: "UPDATE setting SET value = '{}'" },
    { role: "recorderUrl", may: false, sql: "SELECT * FROM device_request" },
    { role: "webUrl", may: true, sql: "UPDATE device_request SET state = 'refused'" },
    { role: "webUrl", may: false, sql: "UPDATE device_request SET user_code_hash = 'x'" },
    { role: "webUrl", may: false, sql: "UPDATE device_request SET expires_at = now() + interval '1 day'" },
    { role: "webUrl", may: false, sql: "UPDATE hook_credential SET secret_hash = 'x'" },
    { role: "webUrl", may: false, sql: "UPDATE hook_credential SET namespaces = '{*}'" },
    { role: "webUrl", may: false, sql: "UPDATE hook_credential SET purpose = 'kubernetes-audit'" },
    // What an API server said is not changed, and only age deletes it.
    { role: "webUrl", may: false, sql: "UPDATE kubernetes_audit_event SET username = 'x'" },
    { role: "webUrl", may: false, sql: "DELETE FROM kubernetes_audit_event" },
    { role: "recorderUrl", may: false, sql: "UPDATE kubernetes_audit_event SET username = 'x'" },
    { role: "recorderUrl", may: true, sql: "DELETE FROM kubernetes_audit_event" },
    { role: "webUrl", may: true, sql: "UPDATE cluster_account SET checked_at = now()" },
    { role: "webUrl", may: false, sql: "DELETE FROM cluster_account" },
    { role: "recorderUrl", may: false, sql: "UPDATE cluster_account SET unlimited = NULL" },
    { role: "webUrl", may: false, sql: "UPDATE unasked_change SET state = 'unknown'" },
    { role: "webUrl", may: true, sql: "UPDATE unasked_change SET look_at = now()" },
    { role: "recorderUrl", may: false, sql: "UPDATE unasked_change SET client = 'x'" },
    { role: "recorderUrl", may: true, sql: "UPDATE unasked_change SET state = 'unknown' WHERE state = 'open'" },
    { role: "webUrl", may: false, sql: "DELETE FROM hook_call" },
    { role: "webUrl", may: false, sql: "DELETE FROM controller_message" },
    { role: "webUrl", may: true, sql: "SELECT delete_unmatched_messages()" },
    { role: "recorderUrl", may: true, sql: "DELETE FROM hook_call" },
    ...["analysis_template_version", ...recordedTables.filter((table) => table !== "rollout")].flatMap((table) => [
      { role: "webUrl" as const, may: true, sql: `SELECT * FROM ${table}` },
      { role: "webUrl" as const, may: false, sql: `DELETE FROM ${table}` },
      { role: "recorderUrl" as const, may: true, sql: `DELETE FROM ${table}` },
    ]),
  ] as const)("$role may run [$sql]: $may", async ({ role, may, sql }) => {
    await withClient(migrated[role], async (client) => {
      if (may) await expect(client.query(sql)).resolves.toBeDefined();
      else await expect(client.query(sql)).rejects.toMatchObject(refused);
    });
  });
});

describe("a decision on a gate", () => {
  const insert = `WITH made AS (
      INSERT INTO action (id, rollout_id, cluster, namespace, kind, name, action, state, actor_key, actor_name,
        view_digest, request_hash, request_id)
      SELECT gen_random_uuid(), id, cluster, namespace, kind, name, 'x', 'effective', 'x', 'x', '', '', '' FROM rollout
      RETURNING id)
    INSERT INTO gate_decision (id, rollout_id, cluster, namespace, kind, name, uid, gate, verdict, bound, actor_name,
      reason, expires_at)
    SELECT made.id, r.id, cluster, namespace, kind, name, uid, $1, $2, $3, 'a', 'r', $4 FROM rollout r, made RETURNING id`;
  const later = new Date(Date.now() + 60_000);
  beforeAll(() =>
    withClient(migrated.ownerUrl, (client) =>
      client.query(
        `WITH known AS (INSERT INTO cluster (name) VALUES ('c'))
         INSERT INTO rollout (id, cluster, namespace, kind, name, uid, phase, message, step_count, view_digest,
           revision_key, resource_version, object, updated_at)
         VALUES (gen_random_uuid(), 'c', 'n', 'Canary', 'x', 'u', 'Healthy', '', 0, '', '', '1', '{}', now())`,
      ),
    ),
  );

  it.each<[string, unknown[]]>([
    ["an approval that is bound to nothing", ["confirm-promotion", "approve", "{}", later]],
    ["an approval that never ends", ["confirm-promotion", "approve", '{"checksum": "c"}', null]],
    ["a rollback that is bound to nothing", ["rollback", "rollback", "{}", later]],
    ["an approval of a rollback", ["rollback", "approve", '{"checksum": "c"}', later]],
    ["a rollback at another gate", ["confirm-promotion", "rollback", '{"checksum": "c"}', later]],
    ["another gate", ["pre-rollout", "approve", '{"checksum": "c"}', later]],
    ["another verdict", ["confirm-promotion", "yes", '{"checksum": "c"}', later]],
  ])("is not %s", async (_, values) => {
    await withClient(migrated.webUrl, async (client) => {
      await expect(client.query(insert, values)).rejects.toMatchObject({ code: "23514" });
    });
  });

  it("is voided once, and never changed, whoever asks", async () => {
    await withClient(migrated.ownerUrl, async (client) => {
      const { rows } = await client.query<{ id: string }>(insert, ["rollback", "hold", "{}", null]);
      const id = rows[0]?.id;
      const refused = { code: "42501" };
      for (const change of ["verdict = 'rollback'", "expires_at = now()", "reason = 'x'", "seq = 7"])
        await expect(client.query(`UPDATE gate_decision SET ${change} WHERE id = $1`, [id])).rejects.toMatchObject(
          refused,
        );
      await client.query("UPDATE gate_decision SET voided_at = now() WHERE id = $1", [id]);
      for (const change of ["voided_at = NULL", "voided_at = now()"])
        await expect(client.query(`UPDATE gate_decision SET ${change} WHERE id = $1`, [id])).rejects.toMatchObject(
          refused,
        );
      await expect(client.query("DELETE FROM gate_decision WHERE id = $1", [id])).rejects.toMatchObject(refused);
      await expect(client.query("TRUNCATE gate_decision CASCADE")).rejects.toMatchObject(refused);
    });
  });
});

describe("measurement partitions", () => {
  it("are made once per month, and rows that fit none land in the default one", async () => {
    await withClient(migrated.ownerUrl, async (client) => {
      const make = "SELECT ensure_measurement_partition('2032-05-17') AS made";
      expect((await client.query(make)).rows).toEqual([{ made: true }]);
      expect((await client.query(make)).rows).toEqual([{ made: false }]);
      const put = `INSERT INTO measurement (metric_id, seq, started_at, phase, parsed_kind)
        VALUES (1, 1, $1, 'S', 'e') RETURNING tableoid::regclass::text AS part`;
      expect((await client.query(put, ["2032-05-31T23:59:59Z"])).rows).toEqual([{ part: "measurement_2032_05" }]);
      expect((await client.query(put, ["1999-01-01T00:00:00Z"])).rows).toEqual([{ part: "measurement_default" }]);
      expect((await client.query("SELECT ensure_measurement_partition('1999-01-01') AS made")).rows).toEqual([
        { made: false },
      ]);
    });
  });
});
