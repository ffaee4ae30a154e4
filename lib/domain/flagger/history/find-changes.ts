import type { Trail } from "#lib/domain/delivery/provider.ts";
import { controllerManager } from "#lib/domain/flagger/known-managers.ts";
import type { ChangeAction, UnaskedChange } from "#lib/domain/oversight/unasked-change.ts";
import type { CanaryProjection } from "./canary-projection.ts";

/**
 * Finds what somebody did to a Canary between the last two observations of the trail. Flagger never writes these
 * fields. A new version is deployed by changing another object, which is not seen here.
 */
export function findChanges({ items }: Trail): UnaskedChange[] {
  const [previous, next] = items.slice(-2);
  if (previous === undefined || next === undefined) return [];
  // The stored data was made by `observe` of this provider.
  const [before, after] = [previous, next].map(({ projection }) => (projection as CanaryProjection).view);
  if (before === undefined || after === undefined) return [];
  const client = next.writer === controllerManager ? null : next.writer;
  const actions: ChangeAction[] = [
    ...(before.suspend === after.suspend ? [] : [after.suspend ? ("suspend" as const) : ("unsuspend" as const)]),
    ...(!before.skipAnalysis && after.skipAnalysis ? ["skip-analysis" as const] : []),
  ];
  return actions.map((action) => ({ action, client }));
}
