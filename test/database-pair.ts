import { spawnSync } from "node:child_process";
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { migrate } from "#lib/server/platform/db/migrate/migrate.ts";
import { chooseServerIdentity } from "#lib/server/platform/embedded-postgres/server-identity.ts";
import {
  prepareDatabase,
  startEmbeddedPostgres,
} from "#lib/server/platform/embedded-postgres/start-embedded-postgres.ts";
import { waitFor } from "#test/recorder-world.ts";
import { startTcpProxy } from "#test/tcp-proxy.ts";

type Urls = { ownerUrl: string; recorderUrl: string; webUrl: string };

export type DatabasePair = {
  /** Through the proxy: they lead to the primary, whichever it is. */
  urls: Urls;
  /** Straight to the standby. */
  standbyUrls: Urls;
  /** Kills the primary by SIGKILL. */
  killPrimary(): void;
  /** Kills the standby by SIGKILL. */
  killStandby(): void;
  /** Starts the standby again, at the same port. */
  startStandby(): Promise<void>;
  /** Promotes the standby and sends new connections there. */
  promote(): Promise<void>;
  /** Starts another standby of the primary, for reads. */
  startReader(): Promise<Reader>;
  stop(): Promise<void>;
};

export type Reader = {
  urls: Urls;
  /** Has it stream from the promoted standby from now on, as the service of a fail-over manager would. */
  follow(): Promise<void>;
};

const database = "bench";
const passwords = { recorder: "recorder", web: "web" };

/**
 * Starts a primary and a standby that streams from it, with a proxy before them that stands for the address of the
 * primary. The standby is synchronous unless told otherwise: a commit is acknowledged once it is on both disks.
 */
export async function startPair({ isSynchronous = true } = {}): Promise<DatabasePair> {
  const directory = mkdtempSync(join(tmpdir(), "gatehouse-pair-"));
  const folders = {
    primary: join(directory, "primary"),
    standby: join(directory, "standby"),
    reader: join(directory, "reader"),
  };
  const optionsOf = (name: keyof typeof folders) => ({
    directory: folders[name],
    ownerPassword: "owner",
    logFile: join(directory, `${name}.log`),
  });
  const first = await startEmbeddedPostgres(optionsOf("primary"));
  await prepareDatabase({ maintenanceUrl: first.ownerUrl("postgres"), database, passwords });
  await migrate({ url: first.ownerUrl(database) });
  await first.stop();
  for (const name of ["standby", "reader"] as const)
    copyAsStandby({ primary: folders.primary, standby: folders[name], primaryPort: first.port, name });
  const primary = await startEmbeddedPostgres({ ...optionsOf("primary"), port: first.port, fixedPort: true });
  let standby = await startEmbeddedPostgres(optionsOf("standby"));
  const servers = [primary];
  await waitForStandby(primary.ownerUrl("postgres"), isSynchronous);
  const target = { port: primary.port };
  const proxy = await startTcpProxy(target);
  const kill = (name: keyof typeof folders) => {
    const [pid] = readFileSync(join(folders[name], "data/postmaster.pid"), "utf8").split("\n");
    process.kill(Number(pid), "SIGKILL");
  };
  return {
    urls: urlsAt(proxy.port),
    standbyUrls: urlsAt(standby.port),
    killPrimary: () => kill("primary"),
    killStandby: () => kill("standby"),
    async startStandby() {
      standby = await startEmbeddedPostgres({ ...optionsOf("standby"), port: standby.port, fixedPort: true });
    },
    async promote() {
      await asOwner(standby.ownerUrl("postgres"), "SELECT pg_promote(true, 60)");
      target.port = standby.port;
    },
    async startReader() {
      const reader = await startEmbeddedPostgres(optionsOf("reader"));
      servers.push(reader);
      return {
        urls: urlsAt(reader.port),
        async follow() {
          const source = sourceOf(standby.port, "reader");
          await asOwner(reader.ownerUrl("postgres"), `ALTER SYSTEM SET primary_conninfo = '${source}'`);
          await asOwner(reader.ownerUrl("postgres"), "SELECT pg_reload_conf()");
        },
      };
    },
    async stop() {
      await proxy.close();
      await Promise.all([...servers, standby].map((server) => server.stop()));
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function urlsAt(port: number): Urls {
  const urlOf = (user: string, password: string) => `postgresql://${user}:${password}@127.0.0.1:${port}/${database}`;
  return {
    ownerUrl: urlOf("gatehouse", "owner"),
    recorderUrl: urlOf("gatehouse_recorder", passwords.recorder),
    webUrl: urlOf("gatehouse_web", passwords.web),
  };
}

function sourceOf(port: number, name: string): string {
  return `host=127.0.0.1 port=${port} user=gatehouse password=owner application_name=${name}`;
}

/** Copies the data of the stopped primary: the packaged binaries have no pg_basebackup. */
function copyAsStandby(options: { primary: string; standby: string; primaryPort: number; name: string }): void {
  const data = join(options.standby, "data");
  mkdirSync(options.standby, { mode: 0o700 });
  const { owner } = chooseServerIdentity({ paths: [data] });
  const source = sourceOf(options.primaryPort, options.name);
  run(["cp", "-a", join(options.primary, "data"), data]);
  writeFileSync(join(data, "standby.signal"), "");
  appendFileSync(join(data, "postgresql.auto.conf"), `primary_conninfo = '${source}'\n`);
  if (owner !== undefined) run(["chown", "-R", `${owner.uid}:${owner.gid}`, options.standby]);
}

function run([command = "", ...args]: string[]): void {
  const { status, stderr } = spawnSync(command, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${command} failed: ${stderr}`);
}

async function waitForStandby(url: string, isSynchronous: boolean): Promise<void> {
  if (isSynchronous) {
    await asOwner(url, "ALTER SYSTEM SET synchronous_standby_names = 'standby'");
    await asOwner(url, "SELECT pg_reload_conf()");
  }
  const isReady = isSynchronous ? "sync_state = 'sync'" : "state = 'streaming'";
  const count = () => asOwner(url, `SELECT FROM pg_stat_replication WHERE ${isReady}`);
  await waitFor("the standby", async () => (await count()) === 1);
}

async function asOwner(url: string, sql: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  try {
    return (await client.query(sql)).rowCount ?? 0;
  } finally {
    await client.end();
  }
}
