import type { ClusterIdentity } from "#lib/contract/common.ts";
import type { AllowedAction } from "#lib/contract/rollout.ts";
import { type AccessQuestion, formatAccess, type PlannedAccess } from "#lib/domain/acting/plan.ts";
import type { ActingContext } from "#lib/server/acting/permission/acting-context.ts";
import { describeClusterIdentity } from "#lib/server/acting/permission/cluster-identity.ts";
import { readOwnName } from "#lib/server/acting/permission/own-name.ts";
import { type AccessAnswer, accessReviewer } from "#lib/server/acting/permission/review-access.ts";
import type { ClusterClient, ClusterIdentity as SentAs } from "#lib/server/clusters/kubernetes/cluster-client-types.ts";
import type { ClusterConfig } from "#lib/server/platform/config/cluster-schema.ts";

/** The page waits no longer for the cluster: a later answer is shown at the next look. */
const waitMs = 300;

type Judging<Action extends AllowedAction> = {
  ctx: ActingContext;
  cluster: string;
  /** Lists the rights that an action needs at the cluster, according to its provider. */
  listAccess: (planned: PlannedAccess) => AccessQuestion[];
  actions: readonly Action[];
};
type Answers = ReadonlyMap<string, AccessAnswer | undefined>;

/**
 * Returns the actions with the cluster's own answer for the actor: a denied action is off, with the missing right.
 * Without an answer within 300 ms an action stays as it is, since the cluster decides at the click, and says so. The
 * answer is available at the next look.
 */
export async function judgeAtCluster<Action extends AllowedAction>(judging: Judging<Action>): Promise<Action[]> {
  const asking = prepare(judging);
  if (asking.kind === "settled") return asking.actions;
  const reviewer = accessReviewer();
  const answers = asking.questions.map(async (question) => {
    return [textOf(question), await reviewer.review({ ...asking, question, waitMs })] as const;
  });
  return judge({ ...judging, ...asking, answers: new Map(await Promise.all(answers)), saysDoubt: true });
}

/** Does the same for many rows at once, from the cache, without a request. */
export function judgeFromCache<Action extends AllowedAction>(judging: Judging<Action>): Action[] {
  const asking = prepare(judging);
  if (asking.kind === "settled") return asking.actions;
  const reviewer = accessReviewer();
  const answers = new Map(
    asking.questions.map((question) => [textOf(question), reviewer.peek({ ...asking, question })]),
  );
  return judge({ ...judging, ...asking, answers, saysDoubt: false });
}

/** Returns the actor's identity at a cluster, before any click; null if the config does not name the cluster. */
export async function showClusterIdentity(ctx: ActingContext, name: string): Promise<ClusterIdentity | null> {
  const cluster = findCluster(ctx, name);
  if (cluster === undefined) return null;
  const as = describeClusterIdentity({ actor: ctx.actor, cluster });
  // Only Gatehouse itself has that one, and it asks for no page.
  if (as.mode === "own") return null;
  if ("problem" in as) return { mode: as.mode, username: null, groups: [], problem: as.problem };
  if (as.mode !== "serviceAccount")
    return { mode: as.mode, username: as.username, groups: [...as.groups], problem: null };
  const client = ctx.runtime.cluster(name);
  const ownName = client === undefined ? undefined : await readOwnName({ client, waitMs });
  return { mode: as.mode, username: ownName ?? null, groups: [], problem: null };
}

type Asking<Action> =
  | { kind: "settled"; actions: Action[] }
  | { kind: "open"; client: ClusterClient; as: SentAs; questions: AccessQuestion[] };

function prepare<Action extends AllowedAction>({
  ctx,
  cluster: name,
  listAccess,
  actions,
}: Judging<Action>): Asking<Action> {
  const cluster = findCluster(ctx, name);
  const client = ctx.runtime.cluster(name);
  if (cluster === undefined || cluster.access !== "act" || client === undefined)
    return { kind: "settled", actions: [...actions] };
  const as = describeClusterIdentity({ actor: ctx.actor, cluster });
  if ("problem" in as) {
    const refusal = { reasonCode: "no_cluster_identity", reason: as.problem };
    return { kind: "settled", actions: actions.map((action) => refuse(action, refusal)) };
  }
  const needs = actions.flatMap((action) => needsOf(action, listAccess));
  const questions = [...new Map(needs.map((need) => [textOf(need), need])).values()];
  return { kind: "open", client, as, questions };
}

function judge<Action extends AllowedAction>({
  cluster,
  listAccess,
  actions,
  as,
  answers,
  saysDoubt,
}: Omit<Judging<Action>, "ctx"> & { as: SentAs; answers: Answers; saysDoubt: boolean }): Action[] {
  return actions.map((action) => {
    const needs = needsOf(action, listAccess);
    if (needs.length === 0) return action;
    const denied = needs.find((need) => answers.get(textOf(need)) === "denied");
    if (denied !== undefined) {
      const reason = explainDenial({ as, cluster, denied });
      return { ...refuse(action, { reasonCode: "cluster_denied", reason }), clusterAccess: "denied" as const };
    }
    if (needs.every((need) => answers.get(textOf(need)) === "allowed"))
      return { ...action, clusterAccess: "allowed" as const };
    return saysDoubt ? withDoubt(action, cluster) : action;
  });
}

/** Returns the rights to check; actions that are off anyway need none. */
function needsOf(action: AllowedAction, listAccess: Judging<AllowedAction>["listAccess"]): AccessQuestion[] {
  return action.allowed ? listAccess(action) : [];
}

function textOf(need: AccessQuestion): string {
  return JSON.stringify([formatAccess(need), need.name ?? null]);
}

function refuse<Action extends AllowedAction>(action: Action, refusal: { reasonCode: string; reason: string }): Action {
  return action.allowed ? { ...action, allowed: false, ...refusal } : action;
}

function explainDenial({ as, cluster, denied }: { as: SentAs; cluster: string; denied: AccessQuestion }): string {
  const what = `${formatAccess(denied)} in namespace ${denied.namespace}`;
  if (as.mode === "groups" && as.groups.length === 0)
    return `Cluster ${cluster} does not allow you to ${what}: rights come from groups there, and Gatehouse sends none of yours.`;
  return `Cluster ${cluster} does not allow ${nameDenied(as)} to ${what}.`;
}

/** More would not fit into a sentence; the settings page lists all. */
const shownGroups = 4;

function nameDenied({ mode, username, groups }: SentAs): string {
  if (mode === "serviceAccount") return "Gatehouse's service account";
  if (mode !== "groups") return `you (there ${JSON.stringify(username)})`;
  const more = groups.length - shownGroups;
  const names = groups.slice(0, shownGroups).map((group) => JSON.stringify(group));
  return `you (by ${groups.length === 1 ? "group" : "groups"} ${names.join(", ")}${more > 0 ? ` and ${more} more` : ""})`;
}

function withDoubt<Action extends AllowedAction>(action: Action, cluster: string): Action {
  const doubt = `Not known yet whether cluster ${cluster} allows this; it decides when you confirm.`;
  return { ...action, clusterAccess: "unknown" as const, warnings: [...(action.warnings ?? []), doubt] };
}

function findCluster({ runtime }: ActingContext, name: string): ClusterConfig | undefined {
  return runtime.config().config.clusters.find((cluster) => cluster.name === name);
}
