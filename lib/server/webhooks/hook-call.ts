import type { HookRequest } from "#lib/domain/flagger/gates/decide-hook.ts";
import type { ClaimedCredential } from "#lib/server/webhooks/hook-secret.ts";

/** A hook call as it came in. */
export type HookCall = HookRequest & {
  cluster: string;
  /** The last part of the path; empty without one. */
  label: string;
  /** Undefined if the call has none, or none in our form. */
  credential: ClaimedCredential | undefined;
  /** The caller's address, to limit guesses. */
  address: string;
};

/** Until when a call must be answered, by `performance.now()`. */
export type Deadline = number;

export function msUntil(deadline: Deadline): number {
  return Math.max(0, deadline - performance.now());
}
