import { existsSync } from "node:fs";
import { readMemory } from "./process-memory.ts";

/** Samples a process's resident memory every half second until it is stopped. */
export function sampleMemory(pid: number): { stop(): number[] } {
  const samples: number[] = [];
  const timer = setInterval(() => {
    // If the process is gone, its owner notices and reports that better.
    if (existsSync(`/proc/${pid}/exe`)) samples.push(readMemory(pid).residentMiB);
  }, 500);
  return {
    stop: () => {
      clearInterval(timer);
      samples.push(readMemory(pid).residentMiB);
      return samples;
    },
  };
}
