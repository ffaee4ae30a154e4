import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";

/** Returns the pid of a launcher's process by name; 0 if it does not exist. */
export function pidOfProcess(dataDirectory: string, name: string): number {
  if (name === "postgres") {
    const file = join(dataDirectory, "postgres/data/postmaster.pid");
    return existsSync(file) ? Number(readFileSync(file, "utf8").split("\n")[0]) : 0;
  }
  if (name === "warden") return parentOf(pidOfProcess(dataDirectory, "postgres")) ?? 0;
  const file = join(dataDirectory, "processes.json");
  if (!existsSync(file)) return 0;
  const noted = JSON.parse(readFileSync(file, "utf8")) as Record<string, { pid: number }>;
  return noted[name]?.pid ?? 0;
}

export function isAlive(pid: number): boolean {
  return parentOf(pid) !== undefined;
}

/** Lists the living processes that a process has started itself. */
export function listChildren(pid: number): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((child) => parentOf(child) === pid);
}

/**
 * Lists every living process of a demo: those whose command line, environment or working directory names its directory.
 */
export function listDemoProcesses(dataDirectory: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .map(Number)
    .filter((pid) => isAlive(pid) && namesOf(pid).some((text) => text.includes(dataDirectory)));
}

/** Finds the processes that the launcher has not started, directly or indirectly: they would never be ended. */
export function findOrphans(pids: readonly number[], launcher: number): number[] {
  // Under an older Node, the launcher may be a child of one more process of its own.
  const isHeld = (pid: number | undefined): boolean =>
    pid !== undefined && pid > 1 && (pid === launcher || isHeld(parentOf(pid)));
  return pids.filter((pid) => pid !== parentOf(launcher) && !isHeld(pid) && isAlive(pid));
}

function namesOf(pid: number): string[] {
  return [readProc(pid, "cmdline"), readProc(pid, "environ"), readWorkingDirectory(pid)];
}

function readWorkingDirectory(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return "";
  }
}

/** Returns the parent; undefined if the process is gone, or is a zombie. */
function parentOf(pid: number): number | undefined {
  const stat = readProc(pid, "stat");
  // The command's name in brackets may itself contain spaces and brackets.
  const [state, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return parent === undefined || state === "Z" ? undefined : Number(parent);
}

function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch {
    return "";
  }
}
