import { randomUUID } from "node:crypto";
import type { ApiStore } from "#sandbox/apiserver/store.ts";
import { measurements, sampleRun } from "./recorder-samples.ts";

/** A run that was played: its uid and its number of measurements. */
export type PlayedRun = { uid: string; measured: number };

const kept = 10;
const perStep = 8;
const steps = 3;

/**
 * Creates short-lived runs. Each is created, measured in a few steps of which the cluster keeps the last ten
 * measurements, finished and deleted at once. `stop` resolves with all that were played to their end.
 */
export function playRuns(store: ApiStore, { everyMs }: { everyMs: number }): { stop(): PlayedRun[]; count(): number } {
  const played: PlayedRun[] = [];
  const timer = setInterval(() => played.push(playOne(store)), everyMs);
  return {
    count: () => played.length,
    stop() {
      clearInterval(timer);
      return played;
    },
  };
}

const manager = { manager: "rollouts-controller" };

function playOne(store: ApiStore): PlayedRun {
  const name = `run-${randomUUID()}`;
  const made = (count: number, phase: string) => {
    const from = Math.max(1, count - kept + 1);
    return sampleRun({ name, phase, metrics: [{ name: "m", count, measurements: measurements(from, count) }] });
  };
  let current = store.create("analysisruns", made(perStep, "Running"), manager);
  const { uid } = current.metadata;
  for (let step = 2; step <= steps; step++) {
    const { status } = made(step * perStep, step === steps ? "Successful" : "Running");
    current = store.update("analysisruns", { ...current, status: status as Record<string, unknown> }, manager);
  }
  store.delete("analysisruns", "shop", name);
  return { uid, measured: steps * perStep };
}
