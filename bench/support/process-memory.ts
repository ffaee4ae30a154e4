import { readFileSync } from "node:fs";

export type ProcessMemory = { residentMiB: number; mostMiB: number };

/** Resident memory of a process, now and at its highest so far. */
export function readMemory(pid: number): ProcessMemory {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const read = (field: string): number => {
    const kilobytes = new RegExp(`^${field}:\\s+(\\d+) kB`, "m").exec(status)?.[1];
    if (kilobytes === undefined) throw new Error(`/proc/${pid}/status has no ${field}`);
    return Number(kilobytes) / 1024;
  };
  return { residentMiB: read("VmRSS"), mostMiB: read("VmHWM") };
}
