import { explainBlock, isReady, type ReadyMember } from "#lib/client/group-plan.ts";
import type { PlannedMember } from "#lib/contract/action-group.ts";
import type { RolloutSummary } from "#lib/contract/rollout.ts";
import type { ObjectRef } from "#lib/domain/delivery/object-ref.ts";

type Seen = Pick<RolloutSummary, "id" | "viewDigest"> & ObjectRef;

export type SplitMembers = {
  /** As they were when they were chosen: the action applies to them. */
  ready: ReadyMember[];
  /** Allowed, but not as they were when they were chosen. */
  moved: ReadyMember[];
  blocked: { rollout: ObjectRef & { id: string }; why: string }[];
};

/**
 * Splits the chosen rollouts by what an action would do now. A protective action applies to one that has moved on, too:
 * it matters most while much changes.
 */
export function splitMembers(chosen: readonly Seen[], planned: readonly PlannedMember[]): SplitMembers {
  const byId = new Map(planned.map((member) => [member.rollout.id, member]));
  const split: SplitMembers = { ready: [], moved: [], blocked: [] };
  for (const seen of chosen) {
    const member = byId.get(seen.id);
    if (member !== undefined && isReady(member)) {
      const isAsSeen = member.viewDigest === seen.viewDigest || member.plan.protective;
      split[isAsSeen ? "ready" : "moved"].push(member);
    } else {
      const why = member && explainBlock(member);
      split.blocked.push({ rollout: seen, why: why ?? "It is not recorded any more, or you may not see it." });
    }
  }
  return split;
}
