import { closeSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { openDataDirectory } from "../data-directory.ts";
import { startEmbeddedDatabase } from "../embedded-database.ts";
import { superviseChild } from "../supervised-child.ts";

/**
 * Runs a launcher's database and one child on a small disk that fills up while they run: `node full-disk-launcher.ts
 * DIRECTORY`. Kills everything while the disk is full; everything must come back once there is room. Prints its
 * observations as JSON.
 */
const [directory = ""] = process.argv.slice(2);
const root = join(import.meta.dirname, "../../..");
const filler = join(directory, "filler");

const data = await openDataDirectory(join(directory, "data"));
const database = await startEmbeddedDatabase(data);
const pids: number[] = [];
const talkative = `const { createLog } = await import(${JSON.stringify(join(root, "lib/server/platform/telemetry/create-log.ts"))});
  const log = createLog({ level: "info", process: "child" });
  let count = 0;
  setInterval(() => log.info({ count: count++, text: "x".repeat(2000) }, "turn"), 5);`;
const child = superviseChild({
  name: "child",
  args: () => ["--input-type=module", "-e", talkative],
  cwd: root,
  env: { ...process.env },
  logFile: data.logFile("child"),
  stopTimeoutMs: 2000,
  onStart: (pid) => {
    pids.push(pid);
    data.noteProcess("child", pid);
  },
});
child.settle();

async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (const endsAt = Date.now() + 120_000; Date.now() < endsAt; await sleep(50)) if (await isSo()) return;
  throw new Error(`waited in vain for: ${what}`);
}

function fillDisk(): void {
  const handle = openSync(filler, "w");
  try {
    for (const size of [1 << 20, 4096]) {
      try {
        for (;;) writeSync(handle, Buffer.alloc(size));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
      }
    }
  } finally {
    closeSync(handle);
  }
}

async function ask(sql: string): Promise<string> {
  const client = new pg.Client({ connectionString: database.ownerUrl, connectionTimeoutMillis: 2000 });
  client.on("error", () => {});
  try {
    await client.connect();
    await client.query(sql);
    return "ok";
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  } finally {
    await client.end().catch(() => {});
  }
}

const newest = (): number =>
  Number(readFileSync(data.logFile("child"), "utf8").match(/"count":(\d+)(?!.*"count")/s)?.[1] ?? -1);
const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};
const insert = `CREATE TABLE IF NOT EXISTS filling (text text);
  INSERT INTO filling SELECT string_agg(gen_random_uuid()::text, '') FROM generate_series(1, 20000)`;
const seen: Record<string, unknown> = {};

await until("a child that logs", () => newest() > 0);
fillDisk();
await until("writes that fail", async () => (await ask(insert)) !== "ok");
// Long enough for hundreds of lines that cannot be written.
const atFull = newest();
await sleep(1000);
seen.childOutlivesIt = isAlive(pids[0] ?? 0) && newest() <= atFull + 5;
process.kill(pids[0] ?? 0, "SIGKILL");
await until("another child", () => pids.length > 1);
const postmaster = Number(readFileSync(join(data.file("postgres"), "data", "postmaster.pid"), "utf8").split("\n")[0]);
process.kill(postmaster, "SIGKILL");
await until("a database that is gone", async () => (await ask("SELECT 1")) !== "ok");
await sleep(1000);
rmSync(filler);
await until("a database that takes writes", async () => (await ask(insert)) === "ok");
seen.databaseIsBack = true;
const before = newest();
await until("a child that logs again", () => newest() !== before);
seen.childLogsAgain = true;
seen.childrenStarted = pids.length;
data.noteProcess("child", pids.at(-1) ?? 0);
seen.noted = JSON.parse(readFileSync(data.file("processes.json"), "utf8")).child.pid === pids.at(-1);
await child.stop();
await database.stop();
data.release();
process.stdout.write(`${JSON.stringify(seen)}\n`);
process.exit(0);
