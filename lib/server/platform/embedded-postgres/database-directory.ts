import { spawn } from "node:child_process";
import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { embeddedMajorVersion, type PostgresBinaries } from "./postgres-binaries.ts";
import { type ServerIdentity, serverEnvironment } from "./server-identity.ts";

type Options = { directory: string; binaries: PostgresBinaries; identity: ServerIdentity; ownerPassword: string };

/**
 * Ensures that `directory`/data contains a database cluster of our version, in UTF-8. The first initdb uses a sibling
 * folder that is renamed when complete, so that an interrupted one is never mistaken for a cluster.
 */
export async function ensureDatabaseCluster({
  directory,
  binaries,
  identity,
  ownerPassword,
}: Options): Promise<string> {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  if (identity.owner !== undefined) chownSync(directory, identity.owner.uid, identity.owner.gid);
  const pgdata = join(directory, "data");
  if (existsSync(pgdata)) {
    assertVersion(pgdata);
    return pgdata;
  }
  const unfinished = join(directory, "data.unfinished");
  const passwordFile = join(directory, "owner-password");
  rmSync(unfinished, { recursive: true, force: true });
  writeFileSync(passwordFile, `${ownerPassword}\n`, { mode: 0o600 });
  if (identity.owner !== undefined) chownSync(passwordFile, identity.owner.uid, identity.owner.gid);
  try {
    await run(
      identity.wrap([
        binaries.initdb,
        `--pgdata=${unfinished}`,
        "--username=gatehouse",
        "--auth=scram-sha-256",
        `--pwfile=${passwordFile}`,
        "--encoding=UTF8",
        "--locale=C",
        "--no-instructions",
      ]),
    );
  } finally {
    rmSync(passwordFile, { force: true });
  }
  renameSync(unfinished, pgdata);
  return pgdata;
}

function assertVersion(pgdata: string): void {
  const file = join(pgdata, "PG_VERSION");
  const found = existsSync(file) ? readFileSync(file, "utf8").trim() : "";
  if (found === embeddedMajorVersion) return;
  const what = found === "" ? "holds no PostgreSQL data (no PG_VERSION)" : `was made by PostgreSQL ${found}`;
  throw new Error(
    `${pgdata} ${what}, this Gatehouse runs PostgreSQL ${embeddedMajorVersion}: choose another --data-dir, or move the folder away`,
  );
}

function run([command, ...args]: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    if (command === undefined) return reject(new Error("no command"));
    const child = spawn(command, args, {
      stdio: ["ignore", "ignore", "pipe"],
      env: serverEnvironment,
    });
    let errors = "";
    child.stderr.on("data", (chunk: Buffer) => {
      errors += chunk.toString();
    });
    child.on("error", reject);
    child.on("close", (code) => {
      if (code === 0) return resolve();
      const reason = errors.trim().split("\n").slice(-3).join(" ") || `exit status ${code}`;
      reject(new Error(`cannot create the embedded database: ${reason}`));
    });
  });
}

/**
 * Returns the process id of a PostgreSQL server that runs on this data directory, or undefined. A pid that now belongs
 * to another program does not count.
 */
function findLivePostmaster(pgdata: string): number | undefined {
  const file = join(pgdata, "postmaster.pid");
  if (!existsSync(file)) return undefined;
  const pid = Number(readFileSync(file, "utf8").split("\n")[0]);
  if (!Number.isInteger(pid) || pid <= 1 || !isAlive(pid)) return undefined;
  return isPostgres(pid) ? pid : undefined;
}

/** Stops a server that an earlier launcher left behind (fast, then immediately), and waits up to 10 s for its end. */
export async function stopLivePostmaster(pgdata: string): Promise<void> {
  const pid = findLivePostmaster(pgdata);
  if (pid === undefined) return;
  signal(pid, "SIGINT");
  for (let waitedMs = 0; waitedMs < 10_000; waitedMs += 100) {
    if (!isAlive(pid)) return;
    if (waitedMs === 7000) signal(pid, "SIGQUIT");
    await sleep(100);
  }
  throw new Error(`the PostgreSQL server of ${pgdata} (process ${pid}) does not stop: end it and start again`);
}

function isPostgres(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8")
      .split("\0")
      .some((word) => /(^|\/)postgres$/.test(word));
  } catch {
    return true;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(readStatus(pid));
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function readStatus(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, "utf8");
  } catch {
    return "";
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It ended in between, which was the purpose of the signal.
  }
}
