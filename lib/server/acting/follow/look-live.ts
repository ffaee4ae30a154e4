import type { EffectFacts, StoredEffect } from "#lib/domain/acting/effect.ts";
import type { PlanTarget } from "#lib/domain/acting/plan.ts";
import type { TargetObject } from "#lib/domain/delivery/acting.ts";
import type { DeliveryObject, Provider } from "#lib/domain/delivery/provider.ts";
import type { ReadFailure } from "#lib/domain/kube/cluster-reader.ts";
import { providerOfAction } from "#lib/domain/providers.ts";
import { fetchRollout, resourceOf } from "#lib/server/acting/act/rollout-api.ts";
import type { FollowOne } from "#lib/server/acting/follow/due-actions.ts";
import { readerOf } from "#lib/server/clusters/object-api.ts";
import { StoredPlan } from "#lib/server/records/action-store.ts";

type Looked = Pick<FollowOne, "clusterFor" | "silent" | "row"> & { provider: Provider };

/** `why`: the problem that a person must fix before it can be read; absent if the cluster just does not answer now. */
export type Unread = { kind: "unread"; why?: string };
export type Look<Found> = { kind: "found"; object: Found } | { kind: "missing" } | Unread;

/** Reads the rollout as Gatehouse itself. */
export async function fetchLive({ clusterFor, silent, row, provider }: Looked): Promise<Look<DeliveryObject>> {
  const client = clusterFor(row.cluster);
  if (client === undefined || silent.has(row.cluster)) return { kind: "unread" };
  const fetched = await fetchRollout({ client, provider, address: row });
  if (fetched.kind === "found") return { kind: "found", object: fetched.rollout };
  return failedLook({ silent, row, failure: fetched, what: { kind: provider.kind, name: row.name } });
}

/** Reads the object that an action patched instead of its rollout, as Gatehouse itself. */
export async function fetchTarget({
  clusterFor,
  silent,
  row,
  provider,
  target,
}: Looked & { target: PlanTarget }): Promise<Look<TargetObject>> {
  const client = clusterFor(row.cluster);
  if (client === undefined || silent.has(row.cluster)) return { kind: "unread" };
  const { kind, name } = target;
  const resource = resourceOf(provider.acting, kind);
  const fetched = await readerOf({ client }).get({ resource, namespace: row.namespace, name });
  if (fetched.kind !== "found") return failedLook({ silent, row, failure: fetched, what: target });
  const parsed = provider.acting.parseTarget(fetched.object);
  if (parsed.ok) return { kind: "found", object: parsed.value };
  return failedLook({ silent, row, failure: { kind: "unusable", message: parsed.reason }, what: target });
}

function failedLook({
  silent,
  row: { cluster, namespace },
  failure,
  what,
}: Pick<Looked, "silent" | "row"> & { failure: ReadFailure; what: { kind: string; name: string } }): Look<never> {
  const named = `${what.kind} ${namespace}/${what.name} at ${cluster}`;
  switch (failure.kind) {
    case "missing":
      return { kind: "missing" };
    case "unreachable":
      silent.add(cluster);
      return { kind: "unread" };
    case "refused":
      return {
        kind: "unread",
        why: `Gatehouse may not read ${named} (${failure.message}). Give its account the verb get on ${what.kind.toLowerCase()}s; until then, use kubectl.`,
      };
    case "unusable":
      return {
        kind: "unread",
        why: `Gatehouse cannot parse ${named} (${failure.message}). Use kubectl.`,
      };
  }
}

/** Reads the effect that an action waits for. Returns undefined if it was not recorded, or cannot be read. */
export function readStoredEffect(
  plan: unknown,
): { provider: Provider; effect: StoredEffect; facts: EffectFacts; plan: StoredPlan } | undefined {
  const stored = StoredPlan.safeParse(plan).data;
  if (stored?.expectedEffect === undefined) return undefined;
  const provider = providerOfAction(stored.provider);
  const facts = provider?.acting.readEffect(stored.expectedEffect);
  if (provider === undefined || facts === undefined) return undefined;
  return { provider, effect: stored.expectedEffect, facts, plan: stored };
}
