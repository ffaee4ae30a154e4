import type { UnknownValue } from "#lib/domain/delivery/provider.ts";
import { isKnownPhase } from "./canary-phase.ts";

/** Lists the words of a Canary that have no meaning here: such a canary is shown, and nothing is done with it. */
export function findUnknownValues(kind: string, object: unknown): UnknownValue[] {
  if (kind !== "Canary") return [];
  const phase = (object as { status?: { phase?: unknown } | null } | null)?.status?.phase;
  return typeof phase !== "string" || isKnownPhase(phase) ? [] : [{ field: "Canary.status.phase", value: phase }];
}
