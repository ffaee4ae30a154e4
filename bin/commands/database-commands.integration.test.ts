import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { appendAudit } from "#lib/server/audit/append-audit.ts";
import { nodeForTypeScript } from "#lib/server/platform/embedded-postgres/start-embedded-postgres.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { programEnvironment } from "#test/program-environment.ts";

let database: TestDatabase;
let folder: string;
let pool: pg.Pool;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "gatehouse-audit-"));
  database = await createTestDatabase();
  pool = new pg.Pool({ connectionString: database.ownerUrl });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

function gatehouse(args: string[], url = database.ownerUrl): { status: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(nodeForTypeScript(), [join(import.meta.dirname, "../cli.ts"), ...args], {
    encoding: "utf8",
    env: { ...programEnvironment, DATABASE_URL: url },
  });
  return { status, stdout, stderr };
}

function append(): Promise<unknown> {
  const actor = { type: "system" as const, name: "gatehouse" };
  return appendAudit({ pool, entry: { actor, source: "system", code: "token.created", requestId: randomUUID() } });
}

describe("gatehouse audit", () => {
  it("verifies an empty chain, and a grown one, on the database and on its export", async () => {
    expect(gatehouse(["audit", "verify"])).toEqual({ status: 0, stdout: "ok 0 entries\n", stderr: "" });
    for (let count = 0; count < 3; count += 1) await append();
    expect(gatehouse(["audit", "verify"]).stdout).toBe("ok 3 entries\n");
    const file = join(folder, "export.jsonl");
    const exported = gatehouse(["audit", "export"]).stdout;
    writeFileSync(file, exported);
    expect(gatehouse(["audit", "verify", "--file", file], "")).toEqual({
      status: 0,
      stdout: "ok 3 entries\n",
      stderr: "",
    });

    writeFileSync(
      file,
      exported.replace(/"entry":"[^\n]*"\}/, (entry) => entry.replace("gatehouse", "somebody")),
    );
    expect(gatehouse(["audit", "verify", "--file", file], "")).toMatchObject({
      status: 1,
      stdout: expect.stringMatching(/^broken at 1: entryHash/),
    });
    const [, ...rest] = exported.split("\n");
    writeFileSync(file, rest.join("\n"));
    expect(gatehouse(["audit", "verify", "--file", file], "").stdout).toBe("broken at 1: expected entry 1, found 2\n");
  });

  it("tells what cannot be read (2) from what is broken (1)", () => {
    const file = join(folder, "garbage");
    writeFileSync(file, "garbage\n");
    expect(gatehouse(["audit", "verify", "--file", file])).toEqual({
      status: 2,
      stdout: "",
      stderr: `gatehouse: ${file}:1: not a line of an audit export\n`,
    });
    expect(gatehouse(["audit", "verify", "--file", join(folder, "gone")]).status).toBe(2);
    writeFileSync(file, "\n");
    expect(gatehouse(["audit", "verify", "--file", file])).toEqual({
      status: 2,
      stdout: "",
      stderr: `gatehouse: ${file}: no entries: there is nothing to verify; export again\n`,
    });
    expect(gatehouse(["audit", "verify"], "postgresql://127.0.0.1:1/none").status).toBe(2);
    expect(gatehouse(["audit", "verify"], "").stderr).toMatch(/^gatehouse: DATABASE_URL is not set/);
  });
});

describe("gatehouse token", () => {
  it("creates a token, lists it, revokes it, and leaves its traces in the audit log", () => {
    const create = ["token", "create", "--name", "ci", "--user", "deploy-bot", "--expires-in-days", "7", "--role"];
    expect(gatehouse([...create, "owner"])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("--role owner"),
    });
    expect(gatehouse([...create, "operator"])).toMatchObject({
      status: 0,
      stderr: "",
      stdout: expect.stringMatching(/^ght_[\w-]{43}\n$/),
    });
    const [token] = gatehouse(["token", "list"]).stdout.split("\n");
    const listed = JSON.parse(token ?? "") as { id: string };
    expect(listed).toMatchObject({ name: "ci", role: "operator", owner: "deploy-bot", revokedAt: null });
    expect(gatehouse(["token", "revoke", "--id", listed.id]).stdout).toBe(`revoked ${listed.id}\n`);
    expect(gatehouse(["token", "list"]).stdout).toMatch(/"revokedAt":"\d/);
    expect(gatehouse(["token", "revoke", "--id", "nobody"])).toMatchObject({
      status: 1,
      stderr: "gatehouse: there is no token nobody\n",
    });
    expect(gatehouse(["audit", "export"]).stdout).toMatch(/token\.create.*\n.*token\.revoke/);
    expect(gatehouse(["audit", "verify"]).status).toBe(0);
  });
});
