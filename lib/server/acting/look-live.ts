import type { RolloutObject } from "#lib/domain/argo/objects/rollout-object.ts";
import type { PatchTarget } from "#lib/domain/argo/plan/action-effect.ts";
import type { WorkloadObject } from "#lib/domain/argo/plan/plan-revisions.ts";
import type { SubjectObject } from "#lib/domain/argo/plan/plan-terminate.ts";
import type { FollowOne } from "#lib/server/acting/followed-row.ts";
import type { FetchFailure } from "#lib/server/acting/object-api.ts";
import { readDeployment, readSubject } from "#lib/server/acting/read-live.ts";
import { fetchRollout } from "#lib/server/acting/rollout-api.ts";

type Looked = Pick<FollowOne, "clusterFor" | "silent" | "row">;

/** `why`: what a person has to mend before it can be read; none where the cluster gives no answer now. */
export type Unread = { kind: "unread"; why?: string };
export type Look<Found> = { kind: "found"; object: Found } | { kind: "missing" } | Unread;

/** The object as Gatehouse itself may read it. */
export async function fetchLive({ clusterFor, silent, row }: Looked): Promise<Look<RolloutObject>> {
  const client = clusterFor(row.cluster);
  if (client === undefined || silent.has(row.cluster)) return { kind: "unread" };
  const fetched = await fetchRollout({ client, address: row });
  if (fetched.kind === "found") return { kind: "found", object: fetched.rollout };
  return failedLook({ silent, row, failure: fetched, what: { kind: "Rollout", name: row.name } });
}

/** What an action patched beside its rollout, as Gatehouse itself may read it. */
export async function fetchTarget({
  clusterFor,
  silent,
  row,
  target,
}: Looked & { target: PatchTarget }): Promise<Look<WorkloadObject | SubjectObject>> {
  const client = clusterFor(row.cluster);
  if (client === undefined || silent.has(row.cluster)) return { kind: "unread" };
  const { kind, name, uid } = target;
  const { namespace } = row;
  const fetched =
    kind === "Deployment"
      ? await readDeployment({ client, namespace, name })
      : await readSubject({ client, namespace, subject: { kind, name, uid } });
  if (fetched.kind !== "found") return failedLook({ silent, row, failure: fetched, what: target });
  return { kind: "found", object: "workload" in fetched ? fetched.workload : fetched.object };
}

function failedLook({
  silent,
  row: { cluster, namespace },
  failure,
  what,
}: Omit<Looked, "clusterFor"> & { failure: FetchFailure; what: { kind: string; name: string } }): Look<never> {
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
        why: `Gatehouse may not read ${named} (${failure.message}). Give its account the verb get on ${what.kind.toLowerCase()}s; until then look with kubectl.`,
      };
    case "unusable":
      return {
        kind: "unread",
        why: `Gatehouse does not understand ${named} as the cluster shows it (${failure.message}). Look with kubectl.`,
      };
  }
}
