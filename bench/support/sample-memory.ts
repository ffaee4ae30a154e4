import { existsSync } from "node:fs";
import { readMemory } from "./process-memory.ts";

/** Looks at a process's resident memory every half second until it is told to stop. */
export function sampleMemory(pid: number): { stop(): number[] } {
  const samples: number[] = [];
  const timer = setInterval(() => {
    // Whoever waits for the process hears that it is gone, and says so better.
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
