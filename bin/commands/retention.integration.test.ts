import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { nodeForTypeScript } from "#lib/server/platform/embedded-postgres/start-embedded-postgres.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { programEnvironment } from "#test/program-environment.ts";
import { createTestPool } from "#test/test-pool.ts";

let database: TestDatabase;
let owner: ReturnType<typeof createTestPool>;
let folder: string;
beforeAll(async () => {
  database = await createTestDatabase();
  owner = createTestPool(database.ownerUrl);
  folder = mkdtempSync(join(tmpdir(), "gatehouse-retention-"));
  const config = {
    publicUrl: "http://127.0.0.1:1",
    demo: { accountsFile: "a" },
    clusters: [{ name: "prod", server: "http://127.0.0.1:1" }],
  };
  writeFileSync(join(folder, "gatehouse.yaml"), JSON.stringify(config));
  await owner.query(
    `INSERT INTO measurement (metric_id, seq, started_at, phase, parsed_kind)
     SELECT 1, seq, now() - make_interval(days => 500 * (seq % 2)), 'S', 'e' FROM generate_series(1, 4) AS seq`,
  );
});
afterAll(async () => {
  await owner.end();
  await database.drop();
  rmSync(folder, { recursive: true });
});

function gatehouse(args: string[], url = database.recorderUrl) {
  const { status, stdout, stderr } = spawnSync(nodeForTypeScript(), [join(import.meta.dirname, "../cli.ts"), ...args], {
    encoding: "utf8",
    env: { ...programEnvironment, DATABASE_URL: url, GATEHOUSE_CONFIG: join(folder, "gatehouse.yaml") },
  });
  return { status, stdout, stderr };
}

const count = async (): Promise<number> => (await owner.query("SELECT FROM recorded_measurement")).rowCount ?? 0;

it("says what would go, refuses in doubt, and deletes with a reason", async () => {
  const dry = gatehouse(["retention", "--dry-run"]);
  expect(dry).toMatchObject({ status: 1, stderr: "" });
  expect(dry.stdout).toMatch(
    /^measurement: 2 rows from before \S+Z\nkube_event: 0 .*\npod: 0 .*\nhook_call: 0 .*\nkubernetes_audit_event: 0 .*\nrollout_sample: 0 .*\ncontroller_sample: 0 .*\ncontroller_message: 0 .*\nnotification: 0 .*\nnotifiable_event: 0 .*\n {2}measurement \d{4}-\d{2}: 2\nrefused: prod\/\S+ has never been recorded\n/,
  );
  const refused = gatehouse(["retention"]);
  expect(refused.status).toBe(1);
  expect(refused.stderr).toMatch(/^gatehouse: .*nothing was deleted: .* has never been recorded.*--override --reason/);
  expect(await count()).toBe(4);
  expect(gatehouse(["retention", "--override"])).toMatchObject({
    status: 2,
    stderr: "gatehouse: --override needs --reason TEXT: it is audited\n",
  });
  expect(gatehouse(["retention", "--override", "--reason", "x"], database.webUrl)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining("permission denied"),
  });
  const done = gatehouse(["retention", "--override", "--reason", "the disk is full"]);
  expect(done).toMatchObject({ status: 0, stderr: "" });
  expect(done.stdout).toMatch(
    /deleted 2 from measurement, 0 from kube_event, 0 from pod, 0 from hook_call, 0 from kubernetes_audit_event, 0 from rollout_sample, 0 from controller_sample, 0 from controller_message, 0 from notification, 0 from notifiable_event\n$/,
  );
  expect(await count()).toBe(2);
  expect(gatehouse(["audit", "verify"], database.ownerUrl).stdout).toBe("ok 3 entries\n");
  const doctor = gatehouse(["doctor"], database.ownerUrl).stdout;
  expect(doctor).toMatch(/ok {4}config in force: /);
  expect(doctor).toMatch(/ok {4}retention: last run \S+Z; would delete nothing; waits for: prod\//);
});
