/** The actions on a Canary that a person can request from Gatehouse. */
export type FlaggerAction = "approve" | "hold" | "rollback" | "suspend" | "unsuspend" | "skip-analysis" | "retrigger";

export type BlockCode =
  | "unknown-phase"
  | "terminating"
  | "not-started"
  | "suspended"
  | "not-suspended"
  | "no-suspend"
  | "not-waiting"
  | "not-our-gate"
  | "no-rollback-hook"
  | "not-asked"
  | "primary-not-ready"
  | "primary-unknown"
  | "canary-not-ready"
  | "rolls-back-next"
  | "weight-differs"
  | "skips-analysis"
  | "stops-rescue"
  | "bypasses-gate"
  | "not-checked-yet"
  | "no-run"
  | "run-in-progress"
  | "nothing-to-retry"
  | "no-pod-template";

/** Whether an action is safe now. `reason`: why not, and what to do instead. */
export type ActionJudgement =
  | { safe: true; warnings: string[] }
  | { safe: false; reasonCode: BlockCode; reason: string };

export function allow(...warnings: (string | false)[]): ActionJudgement {
  return { safe: true, warnings: warnings.filter((warning) => warning !== false) };
}

export function block(reasonCode: BlockCode, reason: string): ActionJudgement {
  return { safe: false, reasonCode, reason };
}
