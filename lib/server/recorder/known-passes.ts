import type { PoolClient } from "pg";
import type { DeliveryObject } from "#lib/domain/delivery/provider.ts";

/** An action's consequences come within seconds, and later only if the controller was away. */
const withinMinutes = 60;

/** A pause step, as index, that a person let the controller pass in the update to that revision. */
export type KnownPass = { runKey: string; step: number };

/**
 * The pause steps that people let the controller pass, having been told so before the click, by rollout. Each holds for
 * the update that was acted on: the next one may lose the same gate, and nobody was told that.
 * Asked only of rollouts whose state may lose a gate.
 */
export async function loadKnownPasses(
  tx: PoolClient,
  sights: readonly { id: string; rollout: Pick<DeliveryObject, "mayLoseGates"> }[],
): Promise<Map<string, KnownPass[]>> {
  const ids = sights.filter(({ rollout }) => rollout.mayLoseGates).map(({ id }) => id);
  const known = new Map<string, KnownPass[]>();
  if (ids.length === 0) return known;
  const { rows } = await tx.query<KnownPass & { rollout_id: string }>(
    `SELECT a.rollout_id, pass.step::int AS step, coalesce(a.plan #>> '{expectedEffect,podHash}', '') AS "runKey"
       FROM action a CROSS JOIN LATERAL jsonb_array_elements_text(
         CASE jsonb_typeof(a.plan -> 'passesPauses') WHEN 'array' THEN a.plan -> 'passesPauses' ELSE '[]' END) AS pass (step)
      WHERE a.rollout_id = ANY($1::uuid[]) AND a.intent_seq IS NOT NULL AND a.state <> 'refused'
        AND a.requested_at > clock_timestamp() - make_interval(mins => ${withinMinutes})`,
    [[...new Set(ids)]],
  );
  for (const { rollout_id: id, runKey, step } of rows) known.set(id, [...(known.get(id) ?? []), { runKey, step }]);
  return known;
}
