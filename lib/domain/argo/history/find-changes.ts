import type { Trail, TrailItem } from "#lib/domain/delivery/provider.ts";
import type { UnaskedChange } from "#lib/domain/oversight/unasked-change.ts";
import { findTemplateWrite } from "./find-template-write.ts";
import { findUnaskedChanges } from "./find-unasked-changes.ts";
import type { RolloutProjection } from "./rollout-projection.ts";

/** Finds what somebody other than the controller did between the last two observations of the trail. */
export function findChanges({ items, former }: Trail): UnaskedChange[] {
  // The stored data was made by `observe` of this provider.
  const trail = items as readonly (TrailItem & { projection: RolloutProjection })[];
  const [previous, next] = trail.slice(-2);
  if (previous === undefined || next === undefined) return [];
  const { currentPodHash } = next.projection;
  const isNewHash = currentPodHash !== "" && currentPodHash !== previous.projection.currentPodHash;
  const write = isNewHash ? findTemplateWrite(trail) : undefined;
  const changes = findUnaskedChanges({
    previous: previous.projection,
    next: next.projection,
    writer: next.writer,
    former,
    templateWriter: write?.client ?? null,
  });
  if (write === undefined) return changes;
  // A template is dated by its write: the controller may act on it much later.
  const written = { at: write.at, previousAt: write.previousAt };
  return changes.map((change) => (change.action === "undo" ? { ...change, written } : change));
}
