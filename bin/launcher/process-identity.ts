import { readFileSync } from "node:fs";

/** A process id together with its start time, so that a reused pid is never mistaken for the process meant. */
export type ProcessIdentity = { pid: number; startTime: string };

/** Start time in clock ticks since boot, from /proc; undefined where the process is gone (or is a zombie). */
export function readStartTime(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The command name in brackets may itself hold spaces and brackets.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" ? undefined : fields[19];
  } catch {
    return undefined;
  }
}

export function isSameProcessAlive({ pid, startTime }: ProcessIdentity): boolean {
  return readStartTime(pid) === startTime;
}

/** Signals the process group that `pid` leads; a group that is gone is fine. */
export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // Gone already.
  }
}
