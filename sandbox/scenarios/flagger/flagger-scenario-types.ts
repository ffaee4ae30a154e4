import type { Analysis, HookType, Phase } from "#sandbox/flagger/canary-types.ts";
import type { MeasuredScenario } from "#sandbox/scenarios/scenario-types.ts";

/** When a script continues: the Canary rests on the newest spec, or its run failed. */
export type FlaggerMoment = "healthy" | "failed";

export type FlaggerScriptStep = {
  when: FlaggerMoment;
  /** The new image tag. */
  release: string;
  /** The primary restarts at the same moment, with slow pods. */
  isPrimaryRestarting?: boolean;
};

export type FlaggerScenario = MeasuredScenario & {
  /** The key in demo.json. */
  key: string;
  image: string;
  version: string;
  replicas: number;
  /** Metrics and hooks are added. */
  analysis: Omit<Analysis, "metrics" | "webhooks">;
  /** Which gates ask Gatehouse. Every Canary also has a rollback hook and an event hook. */
  gates: HookType[];
  /** The Flagger that looks after it, if not the newest. */
  flaggerVersion?: string;
  /** From the second version on, pods of the primary never become ready. */
  isPrimaryBroken?: boolean;
  /** All pods are replaced at once. */
  isRecreated?: boolean;
  progressDeadlineSeconds: number;
  script: FlaggerScriptStep[];
  /** The state that the scenario must reach if no gate opens, as data for the test. */
  expected: { phase: Phase; canaryWeight: number; iterations?: number; message: string; version: string };
};
