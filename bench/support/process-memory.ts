import { readdirSync, readFileSync } from "node:fs";

export type ProcessMemory = { residentMiB: number; mostMiB: number };

/** Reads the resident memory of a process, current and peak. */
export function readMemory(pid: number): ProcessMemory {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const read = (field: string): number => {
    const kilobytes = new RegExp(`^${field}:\\s+(\\d+) kB`, "m").exec(status)?.[1];
    if (kilobytes === undefined) throw new Error(`/proc/${pid}/status has no ${field}`);
    return Number(kilobytes) / 1024;
  };
  return { residentMiB: read("VmRSS"), mostMiB: read("VmHWM") };
}

/** Reads the CPU time that a process has used so far, all threads together. */
export function readCpuSeconds(pid: number): number {
  const fields = readStat(pid);
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Reads the CPU time that a server and the processes that it started have used so far, those that have ended too. */
export function readFamilyCpuSeconds(server: number): number {
  const fields = readStat(server);
  const ended = (Number(fields[13]) + Number(fields[14])) / 100;
  const children = readFileSync(`/proc/${server}/task/${server}/children`, "utf8").split(" ").filter(Boolean);
  return children.reduce((sum, child) => sum + readCpuSeconds(Number(child)), ended + readCpuSeconds(server));
}

/** Reads the id of the process that started this one. */
export function readParent(pid: number): number {
  return Number(readStat(pid)[1]);
}

/** Reads the fields after the name in parentheses, which may contain blanks. The 12th to 15th are times in 10 ms. */
function readStat(pid: number): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

/** Counts the open files and sockets of a process. */
export function countDescriptors(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}
