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
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The name in parentheses may contain blanks; user and system time are the 12th and 13th field after it, in 10 ms.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Counts the open files and sockets of a process. */
export function countDescriptors(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}
