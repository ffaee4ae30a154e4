import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, statSync } from "node:fs";
import { readServerMajor } from "#lib/server/platform/db/examine-database.ts";
import { CommandError, parseFlags, UsageError } from "../command-line.ts";
import { assertTool, runTool } from "../postgres-tools.ts";
import { readOwnerUrl, withDatabase } from "../with-database.ts";

/**
 * Tables whose data a restore must not bring back. Positions in the change log belong to one server and mean nothing on
 * another; a session that was revoked since must stay revoked.
 */
const leftOut = ["change_log", "change_place", "user_session"];

/** Runs `gatehouse backup --file FILE`: one consistent copy of the database, by `pg_dump`. Never overwrites a file. */
export async function runBackup(args: string[]): Promise<number> {
  const flags = parseFlags(args, { file: { type: "string" }, "pg-dump": { type: "string" } });
  const { file, "pg-dump": program = "pg_dump" } = flags;
  if (file === undefined) throw new UsageError("--file is missing: where to write the backup");
  if (existsSync(file)) throw new CommandError(`${file} exists: name another file, a backup overwrites none`);
  const databaseUrl = readOwnerUrl();
  const serverMajor = await withDatabase(readServerMajor, { url: databaseUrl });
  await assertTool({ program, flag: "--pg-dump", serverMajor });

  const partial = `${file}.${process.pid}.partial`;
  try {
    // The file is as secret as the database.
    closeSync(openSync(partial, "wx", 0o600));
    const data = leftOut.map((table) => `--exclude-table-data=public.${table}`);
    await runTool({ program, args: ["--format=custom", `--file=${partial}`, ...data], databaseUrl });
    keep(partial, file);
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  }
  process.stdout.write(`backed up to ${file}, ${(statSync(file).size / 1e6).toFixed(1)} MB\n`);
  return 0;
}

/** Renames the file once it is completely on disk. */
function keep(partial: string, file: string): void {
  const handle = openSync(partial, "r+");
  fsyncSync(handle);
  closeSync(handle);
  renameSync(partial, file);
}
