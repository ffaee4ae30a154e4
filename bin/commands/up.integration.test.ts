import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nodeForTypeScript } from "#lib/server/platform/embedded-postgres/start-embedded-postgres.ts";
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from "#test/database.ts";
import { programEnvironment } from "#test/program-environment.ts";
import { findFreePort } from "#test/start-demo.ts";

let folder: string;
let port: number;
const databases: TestDatabase[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "gatehouse-up-"));
  port = await findFreePort();
  writeFileSync(join(folder, "token"), "t");
});
afterAll(async () => {
  await Promise.all(databases.map((database) => database.drop()));
  rmSync(folder, { recursive: true, force: true });
});

type Setting = { DATABASE_URL?: string; dataDirectory?: string; cluster?: string };

const unreachable = '{ name: prod, server: "http://127.0.0.1:1", tokenFile: token }';

/** Makes a folder below the test's folder and returns its path. */
function makeFolder(name: string): string {
  mkdirSync(join(folder, name), { recursive: true });
  return join(folder, name);
}

async function keep(database: Promise<TestDatabase>): Promise<TestDatabase> {
  databases.push(await database);
  return database;
}

async function asOwner(database: TestDatabase, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: database.ownerUrl });
  await client.connect();
  await client.query(sql);
  await client.end();
}

function writeConfig(cluster: string): string {
  const config = join(folder, "gatehouse.yaml");
  writeFileSync(
    config,
    `publicUrl: http://127.0.0.1:${port}
auth:
  oidc: { issuer: "http://127.0.0.1:1", clientId: gatehouse, clientSecret: env:CLIENT_SECRET }
clusters:
  - ${cluster}
`,
  );
  return config;
}

function up({ DATABASE_URL, dataDirectory = join(folder, "data"), cluster = unreachable }: Setting) {
  const args = ["up", "--config", writeConfig(cluster), "--port", String(port), "--data-dir", dataDirectory];
  return gatehouse(args, DATABASE_URL === undefined ? {} : { DATABASE_URL });
}

function gatehouse(args: string[], env: { DATABASE_URL?: string } = {}) {
  return spawnSync(nodeForTypeScript(), [join(import.meta.dirname, "../cli.ts"), ...args], {
    cwd: folder,
    encoding: "utf8",
    timeout: 120_000,
    env: {
      ...programEnvironment,
      CLIENT_SECRET: "c",
      GATEHOUSE_SECRET: "x".repeat(32),
      ...env,
    },
  });
}

/** Lists command lines of running processes that name the test's folder. */
function listLeftovers(): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && existsSync(`/proc/${name}/cmdline`))
    .map((pid) => readCommandLine(pid))
    .filter((line) => line.includes(folder));
}

function readCommandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    return "";
  }
}

const isRoot = process.getuid?.() === 0;

const cases: { name: string; setting(): Setting | Promise<Setting>; stderr: RegExp; runs?: boolean }[] = [
  {
    name: "a database that is not UTF-8",
    setting: async () => ({ DATABASE_URL: (await keep(createEmptyDatabase({ encoding: "SQL_ASCII" }))).ownerUrl }),
    stderr: /the database's encoding is SQL_ASCII, Gatehouse needs UTF8/,
  },
  {
    name: "a schema of a newer version",
    setting: async () => {
      const database = await keep(createTestDatabase());
      await asOwner(
        database,
        `INSERT INTO "_prisma_migrations" (id, checksum, migration_name, finished_at)
         VALUES ('later', 'c', '99990101000000_later', now())`,
      );
      return { DATABASE_URL: database.ownerUrl };
    },
    stderr: /the database has the migration 99990101000000_later, .*run the newer version/,
  },
  {
    name: "a database password that is wrong, without repeating it",
    setting: async () => {
      const url = new URL((await keep(createTestDatabase())).ownerUrl);
      url.password = "hidden";
      return { DATABASE_URL: url.href };
    },
    stderr: /^(?!.*hidden).*cannot connect to the database at 127\.0\.0\.1:\d+\/test_\w+: .*password/,
  },
  {
    name: "data of another major version of PostgreSQL",
    setting: () => {
      writeFileSync(join(makeFolder("old/postgres/data"), "PG_VERSION"), "15\n");
      return { dataDirectory: join(folder, "old") };
    },
    stderr: /old\/postgres\/data was made by PostgreSQL 15/,
  },
  {
    name: "a folder that holds something else where the database should be",
    setting: () => {
      writeFileSync(join(makeFolder("other/postgres/data"), "holiday.jpg"), "");
      return { dataDirectory: join(folder, "other") };
    },
    stderr: /other\/postgres\/data holds no PostgreSQL data/,
  },
  {
    name: "a kubeconfig that is not there",
    setting: () => ({ cluster: "{ name: prod, kubeconfig: gone }" }),
    stderr: /gatehouse\.yaml:5:19: clusters\.0\.kubeconfig: .*gone is missing/,
  },
  {
    name: "a token file that is not there",
    setting: () => ({ cluster: '{ name: prod, server: "http://127.0.0.1:1", tokenFile: gone }' }),
    stderr: /gatehouse\.yaml:5:49: clusters\.0\.tokenFile: .*gone is missing/,
  },
  {
    name: "inCluster outside of a pod",
    setting: () => ({ cluster: "{ name: prod, inCluster: true }" }),
    stderr: /cluster prod: inCluster is set, but this process does not run in a pod/,
  },
  {
    name: "a data directory that may not be written",
    setting: () => {
      const closed = makeFolder("closed");
      chmodSync(closed, 0o500);
      return { dataDirectory: join(closed, "data") };
    },
    stderr: /the data directory .*closed\/data is not writable \(EACCES\): choose another with --data-dir/,
    // File permissions do not apply to root.
    runs: !isRoot,
  },
];

describe("gatehouse up: bad input is one line on stderr, and nothing stays behind", () => {
  it.each(cases.filter(({ runs = true }) => runs))("$name", async ({ setting, stderr }) => {
    const outcome = up(await setting());
    expect(outcome.stderr).toMatch(stderr);
    expect(outcome.stderr).toMatch(/^gatehouse: [^\n]+\n$/);
    expect(outcome).toMatchObject({ status: 1, stdout: "" });
    expect(listLeftovers()).toEqual([]);
  });
});

describe("gatehouse doctor", () => {
  it("fails for a cluster that does not answer, and names it", () => {
    const { status, stdout } = gatehouse(["doctor", "--config", writeConfig(unreachable), "--port", String(port)]);
    expect(stdout).toMatch(/^fail {2}kubernetes: cluster prod: .*ECONNREFUSED/m);
    expect(status).toBe(1);
  });
});
