import { type Application, type Resource, type TreeNode, watchedKinds } from "#components/argocd/argo-cd.ts";
import { AskError, askArgoCd, askGatehouse } from "#components/argocd/ask.ts";
import { rolloutApiPath } from "#lib/client/rollout-path.ts";
import type { ListPage } from "#lib/contract/common.ts";
import type { RolloutDetail, RolloutSummary } from "#lib/contract/rollout.ts";

const maxPages = 20;

type Wanted = { filter: Record<string, string>; uids: ReadonlySet<string> };

/**
 * Finds rollouts by the uids of their objects: Gatehouse and Argo CD name clusters differently, and a name may occur in
 * several.
 */
async function findByUid(application: Application, { filter, uids }: Wanted, signal: AbortSignal) {
  const found: RolloutSummary[] = [];
  let cursor: string | null = "";
  for (let page = 0; cursor !== null && found.length < uids.size; page += 1) {
    if (page === maxPages) throw new AskError("The namespace has too many rollouts.", "Look in Gatehouse itself.");
    const query = new URLSearchParams({ ...filter, limit: "200", ...(cursor === "" ? {} : { cursor }) });
    const path = `/api/v1/rollouts?${query}`;
    const answer: ListPage<RolloutSummary> = await askGatehouse(application, path, signal);
    found.push(...answer.items.filter(({ uid }) => uids.has(uid)));
    cursor = answer.nextCursor;
  }
  return found;
}

/** Reads the rollout of an object; undefined if Gatehouse does not show it. */
export async function readRollout(
  { application, resource }: { application: Application; resource: Required<Resource["metadata"]> & { kind: string } },
  signal: AbortSignal,
): Promise<RolloutDetail | undefined> {
  const { namespace, kind, name, uid } = resource;
  // The filter takes 200 characters, a name may have more.
  const wanted = { filter: { namespace, kind, q: name.slice(0, 200) }, uids: new Set([uid]) };
  const [found] = await findByUid(application, wanted, signal);
  return found && askGatehouse(application, rolloutApiPath(found), signal);
}

/** `missing`: how many of the application's rollouts Gatehouse does not show. */
export type ApplicationRollouts = { rollouts: RolloutSummary[]; missing: number };

/** Reads the rollouts of an application, by the tree that Argo CD has of it. */
export async function readApplication(application: Application, signal: AbortSignal): Promise<ApplicationRollouts> {
  const { name, namespace } = application.metadata;
  const path = `api/v1/applications/${encodeURIComponent(name)}/resource-tree?${new URLSearchParams({ appNamespace: namespace })}`;
  const { nodes } = await askArgoCd<{ nodes?: TreeNode[] | null }>(path, signal);
  const uids = new Map<string, Set<string>>();
  for (const node of nodes ?? []) {
    if (!watchedKinds.some(({ group, kind }) => group === node.group && kind === node.kind)) continue;
    if (node.namespace === undefined || node.uid === undefined) continue;
    uids.set(node.namespace, (uids.get(node.namespace) ?? new Set()).add(node.uid));
  }
  const rollouts: RolloutSummary[] = [];
  for (const [inNamespace, wanted] of uids)
    rollouts.push(...(await findByUid(application, { filter: { namespace: inNamespace }, uids: wanted }, signal)));
  const count = [...uids.values()].reduce((sum, { size }) => sum + size, 0);
  return { rollouts, missing: count - rollouts.length };
}
