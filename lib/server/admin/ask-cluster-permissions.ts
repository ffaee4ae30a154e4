import type { ClusterPermissions, PermissionQuery } from "#lib/contract/admin-access.ts";
import { entryOf } from "#lib/domain/acting/action-catalogue.ts";
import { personExtra, sharedUser } from "#lib/domain/acting/own-identity.ts";
import { type AccessQuestion, formatAccess } from "#lib/domain/acting/plan.ts";
import { patchedResources } from "#lib/domain/providers.ts";
import { formatRule } from "#lib/server/acting/permission/needed-rights.ts";
import { accessReviewer, judgeReview } from "#lib/server/acting/permission/review-access.ts";
import { identityAt } from "#lib/server/admin/explain-permissions.ts";
import { findPermissionPlace, type PermissionPlace } from "#lib/server/admin/find-permission-place.ts";
import { supposeActor } from "#lib/server/admin/suppose-actor.ts";
import type { ClusterClient, ClusterIdentity } from "#lib/server/clusters/kubernetes/cluster-client-types.ts";
import { assertAdmin } from "#lib/server/people/permission/require-admin.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import type { Call } from "#lib/server/process/service-context.ts";

type Right = ClusterPermissions["rights"][number];
type Asked = { question: AccessQuestion; actions: string[] };

const timeoutMs = 5000;
const reviewRule = formatRule({ group: "authorization.k8s.io", resource: "subjectaccessreviews", verbs: ["create"] });

/**
 * Asks the cluster whether its RBAC gives a subject the rights that the actions need: by SubjectAccessReviews of
 * Gatehouse's own account if requests are sent as the person, else by that account's own rights. Changes nothing there.
 * Throws `not_found` for an unknown place, and `invalid_request` without one.
 */
export async function askClusterPermissions({ ctx, input }: Call<PermissionQuery>): Promise<ClusterPermissions> {
  assertAdmin(ctx);
  const found = await findPermissionPlace(ctx, input);
  if (found === undefined)
    throw new ServiceError("invalid_request", "Name a cluster and a namespace.", {
      invalidParams: [{ name: "cluster", reason: "required to ask a cluster" }],
    });
  const { actor } = await supposeActor(ctx, input);
  const { cluster, access } = found.place;
  const client = ctx.runtime.cluster(cluster);
  const nothing = { rule: null, identity: null, rights: [] };
  if (actor === undefined)
    return { ...nothing, state: "no-identity", text: "They have no rights here, so no request is ever sent for them." };
  const identity = identityAt(ctx, cluster, actor);
  if (client === undefined || identity === null || access === "unnamed")
    return { ...nothing, state: "unreachable", text: `Cluster ${cluster} is no longer in the config.` };
  const reported = { ...nothing, identity };
  if (identity.problem !== null) return { ...reported, state: "no-identity", text: identity.problem };
  if (access === "read")
    return {
      ...reported,
      state: "read-only",
      text: `Gatehouse only reads cluster ${cluster} (access: read), so it never acts there for anyone.`,
    };
  return ask({ client, identity, asked: listQuestions(found) });
}

type Asking = { client: ClusterClient; identity: NonNullable<ClusterPermissions["identity"]>; asked: readonly Asked[] };

async function ask({ client, identity, asked }: Asking): Promise<ClusterPermissions> {
  const isOwn = identity.mode === "serviceAccount";
  const review = isOwn ? reviewOwn : reviewPerson;
  const answers = await Promise.all(asked.map(({ question }) => review(client, identity, question)));
  const rights = asked.map(
    ({ question, actions }, index): Right => ({
      right: formatAccess(question),
      resource: question.name ?? null,
      actions,
      answer: answerOf(answers[index]),
    }),
  );
  const common = { identity, rule: null };
  if (answers.includes("not-allowed"))
    return {
      ...common,
      state: "not-allowed",
      text: `Gatehouse's own account may not ask cluster ${client.name} about others.`,
      rule: reviewRule,
      rights: [],
    };
  if (answers.every((answer) => answer === "unknown"))
    return { ...common, state: "unreachable", text: `Cluster ${client.name} gave no answer.`, rights: [] };
  const who = isOwn ? "Gatehouse's own account, which acts there for everyone" : (identity.username ?? "");
  return { ...common, state: "answered", text: `Cluster ${client.name} answered for ${who}.`, rights };
}

function answerOf(answer: ReviewAnswer | undefined): Right["answer"] {
  return answer === "allowed" || answer === "denied" ? answer : "unknown";
}

/** Lists the rights to ask for, each once, with the actions that need it. */
function listQuestions({ acting, actions, place: { namespace } }: PermissionPlace): Asked[] {
  if (acting === undefined)
    return patchedResources.map(({ resource: { group, name: resource }, subresource }) => ({
      question: { verb: "patch", group, resource, namespace, ...(subresource === undefined ? {} : { subresource }) },
      actions: [],
    }));
  const asked = new Map<string, Asked>();
  for (const { action, plan } of actions) {
    if (entryOf(action).subjectOnly) continue;
    const patches = plan?.kind === "patches" ? plan.shown : undefined;
    for (const question of acting.listAccess({ action, patches })) {
      const key = JSON.stringify([formatAccess(question), question.name ?? null]);
      const known = asked.get(key) ?? { question, actions: [] };
      known.actions.push(entryOf(action).label);
      asked.set(key, known);
    }
  }
  return [...asked.values()];
}

type ReviewAnswer = "allowed" | "denied" | "unknown" | "not-allowed";

/** The account's own rights, which the reviewer of buttons asks for as well. */
async function reviewOwn(client: ClusterClient, _: unknown, question: AccessQuestion): Promise<ReviewAnswer> {
  const as: ClusterIdentity = { mode: "serviceAccount", username: "gatehouse", groups: [] };
  return (await accessReviewer().review({ client, as, question, waitMs: timeoutMs })) ?? "unknown";
}

async function reviewPerson(
  client: ClusterClient,
  { mode, username, groups }: Asking["identity"],
  question: AccessQuestion,
): Promise<ReviewAnswer> {
  const person = username ?? "";
  const who = mode === "groups" ? { user: sharedUser, extra: { [personExtra]: [person] } } : { user: person };
  // An API server adds this group to every user whom it impersonates, but never in a review.
  const user = { ...who, groups: [...groups, "system:authenticated"] };
  try {
    const { status, json } = await client.request({
      method: "POST",
      path: "/apis/authorization.k8s.io/v1/subjectaccessreviews",
      body: {
        apiVersion: "authorization.k8s.io/v1",
        kind: "SubjectAccessReview",
        spec: { ...user, resourceAttributes: question },
      },
      timeoutMs,
    });
    return status === 403 ? "not-allowed" : judgeReview(status, json);
  } catch {
    return "unknown";
  }
}
