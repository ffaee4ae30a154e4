import { spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { chooseServerIdentity, serverEnvironment } from "#lib/server/platform/embedded-postgres/server-identity.ts";
import { findFreePort } from "#test/recorder-process.ts";
import { waitFor } from "#test/recorder-world.ts";

/** As Debian's package `pgbouncer` installs it; undefined if it is missing. */
export const pgbouncerProgram = ["/usr/sbin/pgbouncer", "/usr/bin/pgbouncer"].find((file) => existsSync(file));

export type PgBouncer = {
  /** Returns the same database and user as `url`, through the pooler. */
  throughPool(url: string): string;
  stop(): Promise<void>;
};

/**
 * Starts a pgbouncer in transaction mode with its own defaults: it forwards no session setting, and refuses clients that
 * ask for one. `poolSize`: server connections for each user and database.
 */
export async function startPgBouncer({ urls, poolSize }: { urls: string[]; poolSize: number }): Promise<PgBouncer> {
  if (pgbouncerProgram === undefined) throw new Error("the package pgbouncer is missing");
  const directory = mkdtempSync(join(tmpdir(), "gatehouse-pgbouncer-"));
  const files = { config: join(directory, "pgbouncer.ini"), users: join(directory, "users.txt") };
  const port = await findFreePort();
  const users = urls.map((url) => new URL(url));
  const [first] = users;
  if (first === undefined) throw new Error("a pooler needs a database");
  writeFileSync(files.users, users.map(({ username, password }) => `"${username}" "${password}"\n`).join(""));
  writeFileSync(
    files.config,
    `[databases]
* = host=${first.hostname} port=${first.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${files.users}
pool_mode = transaction
default_pool_size = ${poolSize}
max_client_conn = 200
query_wait_timeout = 10
`,
  );
  const identity = chooseServerIdentity({ paths: [files.config, pgbouncerProgram] });
  if (identity.owner !== undefined)
    for (const path of [directory, ...Object.values(files)]) chownSync(path, identity.owner.uid, identity.owner.gid);
  const [program = "", ...args] = identity.wrap([pgbouncerProgram, files.config]);
  const child = spawn(program, args, { stdio: ["ignore", "ignore", "pipe"], env: serverEnvironment });
  let said = "";
  child.stderr.on("data", (chunk) => {
    said += String(chunk);
  });
  const exited = once(child, "exit");
  const throughPool = (url: string): string => Object.assign(new URL(url), { port: String(port) }).href;
  await waitFor("pgbouncer", async () => {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`pgbouncer does not start: ${said}`);
    const client = new pg.Client({ connectionString: throughPool(first.href) });
    client.on("error", () => {});
    return client.connect().then(
      () => client.end().then(() => true),
      () => false,
    );
  });
  return {
    throughPool,
    stop: async () => {
      child.kill("SIGKILL");
      await exited;
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
