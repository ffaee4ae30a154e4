import { compareWithCluster } from "#lib/domain/acting/barrier.ts";
import { type ActionGate, findSetBlock } from "#lib/domain/acting/judge-actions.ts";
import type { ActionTarget, Prepared } from "#lib/server/acting/act/prepare-action.ts";
import type { ActingContext } from "#lib/server/acting/permission/acting-context.ts";
import { readBarriers } from "#lib/server/acting/permission/read-barriers.ts";

/**
 * Finds a set that holds the rollout at a pause because of a change in another member since the click was judged by
 * `gate`. A set that the click overrides does not count. The rollout's own place stays the judged one: the plan is bound
 * to it, and a first patch may have changed it since.
 */
export async function findNewSetBlock(
  ctx: ActingContext,
  {
    target: { action, place },
    gate,
    prepared: { plan, rollout },
  }: { target: Pick<ActionTarget, "action" | "place">; gate: ActionGate; prepared: Prepared },
): Promise<{ set: string; message: string } | undefined> {
  if (gate.barrier === undefined) return undefined;
  const judged = compareWithCluster(gate.barrier, rollout?.viewDigest);
  const blockOf = (sets: typeof judged.sets) =>
    findSetBlock({ action, plan, gate: { ...gate, barrier: { ...judged, sets } } });
  const overridden = judged.sets.filter((set) => blockOf([set]) !== undefined).map(({ name }) => name);
  const { sets = [] } = (await readBarriers(ctx, [place]))(place) ?? {};
  const block = blockOf(sets.filter(({ name }) => !overridden.includes(name)));
  return block && { set: block.set, message: `${block.because} Look at the rollout again.` };
}
