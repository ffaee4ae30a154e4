import { readFileSync } from "node:fs";

/** A process id with its start time, so that a reused pid is never mistaken for the intended process. */
export type ProcessIdentity = { pid: number; startTime: string };

/** Reads the start time in clock ticks since boot, from /proc; undefined if the process is gone (or is a zombie). */
export function readStartTime(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The command name in brackets may itself contain spaces and brackets.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" ? undefined : fields[19];
  } catch {
    return undefined;
  }
}

export function isSameProcessAlive({ pid, startTime }: ProcessIdentity): boolean {
  return readStartTime(pid) === startTime;
}

/** Signals the process group that `pid` leads; ignores a group that is gone. */
export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // Gone already.
  }
}
