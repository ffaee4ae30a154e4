import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * Returns the process id of a PostgreSQL server that runs on this data directory, or undefined. A pid that now belongs
 * to another program does not count.
 */
export function findLivePostmaster(pgdata: string): number | undefined {
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
