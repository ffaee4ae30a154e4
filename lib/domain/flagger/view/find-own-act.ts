import type { OwnAct } from "#lib/domain/delivery/provider.ts";
import type { CanaryAssessment } from "./canary-state.ts";

/**
 * Returns Flagger's next automatic action: it stops waiting for a primary that does not get ready. The consequences
 * depend on its version, and are part of the advice. Flagger's gates wait without an end.
 */
export function findOwnAct({ deadline }: Pick<CanaryAssessment, "deadline">): OwnAct | undefined {
  return deadline === null ? undefined : { text: "Flagger stops waiting for the primary by itself", at: deadline };
}
