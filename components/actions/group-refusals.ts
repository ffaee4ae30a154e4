import { wordTimes } from "#components/ui/format-time.ts";
import type { AllowedAction } from "#lib/contract/rollout.ts";

export type Refusal = { reason: string; actions: AllowedAction[] };

/** Groups actions that are not possible by their reason, in the order in which the reasons first appear. */
export function groupRefusals(actions: readonly AllowedAction[]): Refusal[] {
  const byReason = Map.groupBy(actions, ({ reason }) => wordTimes(reason ?? "Not possible now."));
  return [...byReason].map(([reason, refused]) => ({ reason, actions: refused }));
}
