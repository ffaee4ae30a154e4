import { spawn } from "node:child_process";
import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
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
