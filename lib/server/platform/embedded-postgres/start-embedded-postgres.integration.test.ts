import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  prepareDatabase,
  startEmbeddedPostgres,
} from "./start-embedded-postgres.ts";

let parent: string;
let options: EmbeddedPostgresOptions;
let server: EmbeddedPostgres | undefined;

beforeAll(() => {
  // Closed to others, and too long for a Unix socket's path.
  parent = mkdtempSync(join(tmpdir(), "gatehouse-pg-"));
  const directory = join(parent, "long".repeat(30), "postgres");
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  options = {
    directory,
    ownerPassword: "owner",
    logFile: join(parent, "postgres.log"),
    settings: { fsync: "off" },
  };
});
afterEach(() => server?.stop());
afterAll(() => rmSync(parent, { recursive: true, force: true }));

async function start(): Promise<EmbeddedPostgres> {
  server = await startEmbeddedPostgres(options);
  return server;
}

async function query(sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: server?.ownerUrl("gatehouse") });
  client.on("error", () => {});
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

function postmasterPid(): number {
  return Number(readFileSync(join(options.directory, "data/postmaster.pid"), "utf8").split("\n")[0]);
}

describe("startEmbeddedPostgres", () => {
  it("makes a UTF-8 cluster with a database and its roles, and keeps its rows over a restart", async () => {
    const first = await start();
    const prepare = {
      maintenanceUrl: first.ownerUrl("postgres"),
      database: "gatehouse",
      passwords: { recorder: "r", web: "w" },
    };
    await prepareDatabase(prepare);
    await prepareDatabase(prepare);
    await query("CREATE TABLE kept (n int); INSERT INTO kept VALUES (0)");
    await first.stop();
    await start();
    expect(await query("SELECT n, current_setting('server_encoding') AS encoding FROM kept")).toEqual([
      { n: 0, encoding: "UTF8" },
    ]);
    expect(
      await query("SELECT rolname FROM pg_roles WHERE rolname LIKE 'gatehouse\\_%' AND NOT rolsuper ORDER BY 1"),
    ).toEqual([{ rolname: "gatehouse_recorder" }, { rolname: "gatehouse_web" }]);
  });

  it("starts again after a kill -9 of the server, and its handle says that it ended", async () => {
    const first = await start();
    process.kill(postmasterPid(), "SIGKILL");
    await first.exited;
    await start();
    expect(await query("SELECT n FROM kept")).toEqual([{ n: 0 }]);
  });

  it("stops a server that another launcher left on the directory, and takes over", async () => {
    await start();
    const left = postmasterPid();
    const second = await startEmbeddedPostgres(options);
    expect(postmasterPid()).not.toBe(left);
    expect(() => process.kill(left, 0)).toThrow("ESRCH");
    server = second;
    expect(await query("SELECT n FROM kept")).toEqual([{ n: 0 }]);
  });

  it("refuses the data of another major version in one line", async () => {
    const version = join(options.directory, "data/PG_VERSION");
    writeFileSync(version, "15\n");
    await expect(start()).rejects.toThrow(
      /^.*was made by PostgreSQL 15, this Gatehouse runs PostgreSQL 18: choose another --data-dir.*$/,
    );
    writeFileSync(version, "18\n");
  });
});
