import type { OwnAct } from "#lib/domain/delivery/own-act.ts";
import type { CanaryAssessment } from "./canary-state.ts";

/**
 * Returns what Flagger does next without anybody: it stops waiting for a primary that does not get ready. What follows
 * from that depends on its version, and is said in the advice. Flagger's gates wait without an end.
 */
export function findOwnAct({ deadline }: Pick<CanaryAssessment, "deadline">): OwnAct | undefined {
  return deadline === null ? undefined : { text: "Flagger stops waiting for the primary by itself", at: deadline };
}
