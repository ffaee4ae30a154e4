import type { PatchTarget } from "#lib/domain/argo/action-effect.ts";
import type { WorkloadObject } from "#lib/domain/argo/plan-revisions.ts";
import type { SubjectObject } from "#lib/domain/argo/plan-terminate.ts";
import type { RolloutObject } from "#lib/domain/argo/rollout-object.ts";
import type { FollowOne } from "#lib/server/acting/followed-row.ts";
import { readDeployment, readSubject } from "#lib/server/acting/read-live.ts";
import { fetchRollout } from "#lib/server/acting/rollout-api.ts";

type Looked = Pick<FollowOne, "clusterFor" | "silent" | "row">;

/** The object as Gatehouse itself may read it; undefined where the cluster gives no answer now. */
export async function fetchLive({ clusterFor, silent, row }: Looked): Promise<RolloutObject | "missing" | undefined> {
  const client = clusterFor(row.cluster);
  if (client === undefined || silent.has(row.cluster)) return undefined;
  const fetched = await fetchRollout({ client, address: row });
  if (fetched.kind === "unreachable") silent.add(row.cluster);
  if (fetched.kind === "found") return fetched.rollout;
  return fetched.kind === "missing" ? "missing" : undefined;
}

/** What an action patched beside its rollout, as Gatehouse itself may read it; undefined where the cluster gives no answer now. */
export async function fetchTarget({
  clusterFor,
  silent,
  row,
  target,
}: Looked & { target: PatchTarget }): Promise<WorkloadObject | SubjectObject | "missing" | undefined> {
  const client = clusterFor(row.cluster);
  if (client === undefined || silent.has(row.cluster)) return undefined;
  const { kind, name, uid } = target;
  const { namespace } = row;
  const fetched =
    kind === "Deployment"
      ? await readDeployment({ client, namespace, name })
      : await readSubject({ client, namespace, subject: { kind, name, uid } });
  if (fetched.kind === "unreachable") silent.add(row.cluster);
  if (fetched.kind === "missing") return "missing";
  if (fetched.kind !== "found") return undefined;
  return "workload" in fetched ? fetched.workload : fetched.object;
}
