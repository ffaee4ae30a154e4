import type { Store } from "#sandbox/apiserver/store-types.ts";
import type { Clock } from "#sandbox/controllers/clock.ts";
import type { EventRecorder } from "#sandbox/controllers/event-recorder.ts";
import type { MetricAnswer, MetricQuestion } from "#sandbox/controllers/metric-provider.ts";
import type { HookClient } from "./call-hook.ts";

/** The field manager of the controller's writes in managedFields, and the component of its Events. */
export const FLAGGER_MANAGER = "flagger";

export type FlaggerContext = {
  store: Store;
  clock: Clock;
  /** Deadlines are divided by it; timestamps stay real. */
  speed: number;
  log: (line: string) => void;
  events: EventRecorder;
  hooks: HookClient;
  /** Asks the metrics server; `rollout` of the question is the Canary's name. */
  ask: (question: Omit<MetricQuestion, "sequence" | "attempt" | "runType">) => MetricAnswer;
};
