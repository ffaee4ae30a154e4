import { z } from "zod";
import {
  formatRight,
  formatRule,
  listActingRights,
  listEventRights,
  listReadingRights,
  listSendingRights,
  listSentGroups,
  type NeededRight,
  unlimitedRights,
} from "#lib/server/acting/permission/needed-rights.ts";
import type { ClusterClient } from "#lib/server/clusters/kubernetes/cluster-client-types.ts";
import { createClusterClient } from "#lib/server/clusters/kubernetes/create-cluster-client.ts";
import { senderModeOf } from "#lib/server/clusters/kubernetes/sender-headers.ts";
import type { ClusterConfig } from "#lib/server/platform/config/cluster-schema.ts";
import type { Config } from "#lib/server/platform/config/config-schema.ts";

const timeoutMs = 5000;
const atOnce = 8;

/**
 * Lines for people: what Gatehouse may do at a cluster, and one line for each problem: a missing right, with the rule that
 * grants it; more rights than the config asks for; groups that the cluster would refuse.
 */
export type ClusterRights = { may: string; problems: string[] };

type Asking = { cluster: ClusterConfig; auth: Pick<Config["auth"], "roles" | "oidc"> };

/**
 * Checks what Gatehouse's own account may do at a cluster. Reading is always checked, and whether the account is
 * unlimited. If the config lets it act, so are the rights to send requests for the people whom its bindings let act, or
 * to make the changes itself. Throws, in one line, if the cluster does not answer.
 */
export async function checkClusterRights({ cluster, auth }: Asking): Promise<ClusterRights> {
  const client = createClusterClient(cluster);
  try {
    const reading = await findLacking({ client, rights: listReadingRights(cluster) });
    const acting = await findActing({ client, cluster, auth });
    const unlimited = await findUnlimited(client);
    const events = await findLacking({ client, rights: listEventRights(cluster) });
    const lacking = [...reading, ...acting.lacking, ...events];
    const what = `${cluster.name} (access: ${cluster.access})`;
    const read = reading.length === 0 ? "may read all that it records" : "may not read all that it records";
    const anybody = unlimited === undefined ? "" : `its token can be anybody there (may ${formatRight(unlimited)})`;
    const isAsked = cluster.impersonation.allowAnyUser;
    const problems = [
      ...lacking.map((right) => `may not ${formatRight(right)}; rule: ${formatRule(right)}`),
      ...acting.problems,
      ...(anybody === "" || isAsked ? [] : [`${anybody}: limit the rule by resourceNames, as in deploy/rbac-act.yaml`]),
    ];
    return {
      may: `${what}: ${[read, acting.may, isAsked ? anybody : ""].filter((text) => text !== "").join("; ")}`,
      problems: problems.map((text) => `${cluster.name}: ${text}`),
    };
  } finally {
    await client.close();
  }
}

/** Finds a right of Gatehouse's own account with which its token can be anybody at the cluster. */
export async function findUnlimited(client: ClusterClient): Promise<NeededRight | undefined> {
  const lacking = await findLacking({ client, rights: unlimitedRights });
  return unlimitedRights.find(({ resource }) => lacking.every((right) => right.resource !== resource));
}

type Acting = { may: string; lacking: NeededRight[]; problems: string[] };

async function findActing({ client, cluster, auth }: Asking & { client: ClusterClient }): Promise<Acting> {
  if (cluster.access !== "act") return { may: "", lacking: [], problems: [] };
  if (cluster.actAs === "serviceAccount") {
    const lacking = await findLacking({ client, rights: listActingRights(cluster) });
    const may = lacking.length === 0 ? "acts with its own rights" : "lacks rights to act by itself";
    return { may, lacking, problems: [] };
  }
  const { groups, patterns } = listSentGroups({ cluster, auth });
  const isByGroups = senderModeOf(cluster) === "groups";
  const ofGroups = groups.map((name) => ({ ...sendGroups, names: [name] }));
  const lacking = await findLackingToSend({ client, rights: [...listSendingRights(cluster), ...ofGroups] });
  const sendable = groups.filter((name) => !lacking.some(({ names }) => names?.[0] === name));
  const problems: string[] = [];
  if (patterns.length > 0 && (await findLackingToSend({ client, rights: [sendGroups] })).length > 0)
    problems.push(
      `impersonation.groups has the pattern ${patterns.join(", ")}, which a rule cannot have, and the cluster refuses all that a person asks if the rule lacks one of the groups: name them`,
    );
  if (isByGroups && groups.length === 0 && patterns.length === 0)
    problems.push("impersonation.groups names no group, and rights come from groups there: no one can act");
  const who = isByGroups ? "with the rights of a person's groups" : "as the signed-in person, each a user of their own";
  const sends = sendable.length === 0 ? "no named group" : `groups ${sendable.join(", ")}`;
  return { may: `acts ${who}; may send ${sends}`, lacking, problems };
}

const sendGroups: NeededRight = { group: "", resource: "groups", verbs: ["impersonate"] };

/** Finds the rights to send requests for people that are granted neither by `impersonate` nor by its constrained form. */
async function findLackingToSend(asking: {
  client: ClusterClient;
  rights: readonly NeededRight[];
}): Promise<NeededRight[]> {
  const lacking = await findLacking(asking);
  const constrained = await Promise.all(
    lacking.map(async (right) => {
      const rights = [{ ...right, group: "authentication.k8s.io", verbs: ["impersonate:user-info"] }];
      return findLacking({ client: asking.client, rights });
    }),
  );
  return lacking.filter((_, index) => constrained[index]?.length !== 0);
}

/** Finds the rights that are not granted, each with its missing verbs. */
async function findLacking({
  client,
  rights,
}: {
  client: ClusterClient;
  rights: readonly NeededRight[];
}): Promise<NeededRight[]> {
  const questions = rights.flatMap((right, index) => right.verbs.map((verb) => ({ right, index, verb })));
  const denied = new Map<number, string[]>();
  for (let at = 0; at < questions.length; at += atOnce) {
    await Promise.all(
      questions.slice(at, at + atOnce).map(async ({ right, index, verb }) => {
        if (!(await mayWe({ client, right, verb }))) denied.set(index, [...(denied.get(index) ?? []), verb]);
      }),
    );
  }
  return rights.flatMap((right, index) => {
    const verbs = denied.get(index);
    return verbs === undefined ? [] : [{ ...right, verbs: right.verbs.filter((verb) => verbs.includes(verb)) }];
  });
}

const Review = z.looseObject({ status: z.looseObject({ allowed: z.boolean() }) });

async function mayWe({
  client,
  right: { group, resource, subresource, namespace, names },
  verb,
}: {
  client: ClusterClient;
  right: NeededRight;
  verb: string;
}): Promise<boolean> {
  const resourceAttributes = { verb, group, resource, subresource, namespace, name: names?.[0] };
  const { status, json } = await client.request({
    method: "POST",
    path: "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
    body: { apiVersion: "authorization.k8s.io/v1", kind: "SelfSubjectAccessReview", spec: { resourceAttributes } },
    timeoutMs,
  });
  const review = Review.safeParse(json);
  if (status === 401) throw new Error(`cluster ${client.name}: the credentials are not accepted (401)`);
  if (status !== 201 || !review.success)
    throw new Error(`cluster ${client.name}: asking for rights is answered with status ${status}`);
  return review.data.status.allowed;
}
