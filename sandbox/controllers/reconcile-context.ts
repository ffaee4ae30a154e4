import type { Store } from "#sandbox/apiserver/store-types.ts";
import type { EventRecorder } from "./event-recorder.ts";

/** The field manager of the controller's writes in managedFields. */
export const ROLLOUTS_MANAGER = "rollouts-controller";

export type ReconcileContext = {
  store: Store;
  nowMs: number;
  /** Durations of specs are divided by it; timestamps stay real. */
  speed: number;
  log: (line: string) => void;
  events: EventRecorder;
};
