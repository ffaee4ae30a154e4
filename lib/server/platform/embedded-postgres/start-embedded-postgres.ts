import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { entryFile } from "#lib/server/platform/config/program-files.ts";
import { ensureDatabaseCluster, stopLivePostmaster } from "./database-directory.ts";
import { locatePostgresBinaries, type PostgresBinaries } from "./postgres-binaries.ts";
import { chooseServerIdentity, serverEnvironment } from "./server-identity.ts";

export type EmbeddedPostgresOptions = {
  /** Folder of the cluster; created if missing. */
  directory: string;
  /** Password of the superuser `gatehouse`; it only takes effect when the cluster is created. */
  ownerPassword: string;
  logFile: string;
  /**
   * Undefined: any free port. A given port is a preference: if it is taken, another one is used, unless `fixedPort`.
   */
  port?: number;
  fixedPort?: boolean;
  /** Additional server settings; settings such as `fsync: "off"` only for tests. */
  settings?: Record<string, string>;
  /** Another server than that of the package: only for tests. */
  binaries?: PostgresBinaries;
};

export type EmbeddedPostgres = {
  port: number;
  ownerUrl(database: string): string;
  /** Settles when the server has ended, for any reason. */
  exited: Promise<void>;
  stop(): Promise<void>;
};

const startTimeoutMs = 60_000;
const retryForMs = 10_000;

/**
 * Starts a PostgreSQL server on loopback TCP (no Unix socket: its path length is limited) under a warden process, and
 * waits until it answers. First stops a server that an earlier launcher left on this directory. Throws a one-line
 * error.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { binaries = locatePostgresBinaries() } = options;
  const identity = chooseServerIdentity({ paths: [join(options.directory, "data"), binaries.postgres] });
  const pgdata = await ensureDatabaseCluster({ ...options, binaries, identity });
  const giveUpAt = Date.now() + retryForMs;
  for (;;) {
    await stopLivePostmaster(pgdata);
    const port = await choosePort(options);
    const command = identity.wrap([binaries.postgres, "-D", pgdata, "-p", String(port), ...settingFlags(options)]);
    const logOffset = existsSync(options.logFile) ? readFileSync(options.logFile).length : 0;
    const warden = spawnWarden(command, options.logFile);
    const server = handleOf(warden, port, options.ownerPassword);
    try {
      await waitUntilAnswering(server, warden);
      return server;
    } catch (error) {
      await server.stop();
      // After a kill -9, the old backends need a moment to notice and to release shared memory and port.
      if (Date.now() < giveUpAt && hasEnded(warden)) {
        await sleep(300);
        continue;
      }
      const reason = lastReason(options.logFile, logOffset) ?? (error as Error).message;
      throw new Error(`the embedded PostgreSQL does not start: ${reason} (log: ${options.logFile})`);
    }
  }
}

function spawnWarden(command: string[], logFile: string): ChildProcess {
  const log = openSync(logFile, "a", 0o600);
  try {
    return spawn(nodeForTypeScript(), [entryFile("lib/server/platform/embedded-postgres/warden.ts"), ...command], {
      detached: true,
      stdio: ["pipe", log, log],
      env: serverEnvironment,
    });
  } finally {
    closeSync(log);
  }
}

function handleOf(warden: ChildProcess, port: number, ownerPassword: string): EmbeddedPostgres {
  const exited = new Promise<void>((resolve) => {
    warden.once("exit", () => resolve());
    warden.once("error", () => resolve());
  });
  warden.stdin?.on("error", () => {});
  return {
    port,
    exited,
    ownerUrl: (database) => `postgresql://gatehouse:${encodeURIComponent(ownerPassword)}@127.0.0.1:${port}/${database}`,
    stop: async () => {
      warden.stdin?.end();
      await exited;
    },
  };
}

async function waitUntilAnswering(server: EmbeddedPostgres, warden: ChildProcess): Promise<void> {
  let lastError = new Error("no answer");
  for (const giveUpAt = Date.now() + startTimeoutMs; Date.now() < giveUpAt; await sleep(50)) {
    if (hasEnded(warden)) throw new Error("the server ended by itself");
    const client = new pg.Client({ connectionString: server.ownerUrl("postgres"), connectionTimeoutMillis: 2000 });
    client.on("error", () => {});
    try {
      await client.connect();
      await client.query("SELECT 1");
      if (hasEnded(warden)) throw new Error("the server ended by itself");
      return;
    } catch (error) {
      lastError = error as Error;
      if ((error as { code?: string }).code === "28P01") throw new Error("the stored owner password is not accepted");
    } finally {
      await client.end().catch(() => {});
    }
  }
  throw lastError;
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

function settingFlags({ settings = {} }: EmbeddedPostgresOptions): string[] {
  const all: Record<string, string> = {
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    timezone: "UTC",
    log_timezone: "UTC",
    log_checkpoints: "off",
    max_connections: "200",
    ...settings,
  };
  return Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}

async function choosePort({ port, fixedPort }: EmbeddedPostgresOptions): Promise<number> {
  if (port !== undefined && (fixedPort === true || (await probePort(port)) !== undefined)) return port;
  const free = await probePort(0);
  if (free === undefined) throw new Error("no free port on 127.0.0.1 for the embedded PostgreSQL");
  return free;
}

function probePort(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(undefined));
    probe.listen(port, "127.0.0.1", () => {
      const address = probe.address();
      const found = typeof address === "object" && address !== null ? address.port : undefined;
      probe.close(() => resolve(found));
    });
  });
}

function lastReason(logFile: string, offset: number): string | undefined {
  const lines = readFileSync(logFile).subarray(offset).toString().split("\n");
  return lines
    .filter((line) => /FATAL|PANIC|could not|setpriv|warden: cannot/.test(line))
    .at(0)
    ?.trim();
}

type Options = {
  /** The owner's connection to the maintenance database `postgres`. */
  maintenanceUrl: string;
  /** Name of the database to create if missing. */
  database: string;
  passwords: { recorder: string; web: string };
};

/** Creates the two least-privilege roles (or resets their passwords) and the database; safe to repeat. */
export async function prepareDatabase({ maintenanceUrl, database, passwords }: Options): Promise<void> {
  const client = new pg.Client({ connectionString: maintenanceUrl });
  client.on("error", () => {});
  await client.connect();
  try {
    await ensureRole(client, "gatehouse_recorder", passwords.recorder);
    await ensureRole(client, "gatehouse_web", passwords.web);
    const { rowCount } = await client.query("SELECT 1 FROM pg_database WHERE datname = $1", [database]);
    if (rowCount === 0) {
      await client.query(`CREATE DATABASE ${client.escapeIdentifier(database)} ENCODING 'UTF8' TEMPLATE template0`);
    }
  } finally {
    await client.end();
  }
}

async function ensureRole(client: pg.Client, role: string, password: string): Promise<void> {
  const { rowCount } = await client.query("SELECT 1 FROM pg_roles WHERE rolname = $1", [role]);
  const verb = rowCount === 0 ? "CREATE" : "ALTER";
  await client.query(
    `${verb} ROLE ${client.escapeIdentifier(role)} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE PASSWORD ${client.escapeLiteral(password)}`,
  );
}

/**
 * Returns the Node that runs our TypeScript files: this process's own if it is new enough (22.19), else the pinned one
 * of node_modules. Tests may run under the host's older Node.
 */
export function nodeForTypeScript(): string {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > 22 || (major === 22 && minor >= 19)) return process.execPath;
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    const pinned = join(folder, "node_modules/.bin/node");
    if (existsSync(pinned)) return pinned;
    if (folder === dirname(folder)) return process.execPath;
  }
}
