import { z } from "zod";
import {
  formatRight,
  formatRule,
  listActingRights,
  listImpersonated,
  listReadingRights,
  type NeededRight,
} from "#lib/server/acting/needed-rights.ts";
import type { ClusterConfig, Config } from "#lib/server/config/config-schema.ts";
import type { ClusterClient } from "#lib/server/kubernetes/cluster-client-types.ts";
import { createClusterClient } from "#lib/server/kubernetes/create-cluster-client.ts";

const timeoutMs = 5000;
const atOnce = 8;

/**
 * Lines for people: what Gatehouse may do at a cluster, and one line for each missing right, with the rule that grants
 * it.
 */
export type ClusterRights = { may: string; missing: string[] };

/**
 * Checks what Gatehouse's own account may do at a cluster. Reading is always checked. If the config lets it act, so are
 * impersonating the users whom its bindings let act, or the changes themselves. Throws, in one line, if the cluster
 * does not answer.
 */
export async function checkClusterRights({
  cluster,
  auth,
}: {
  cluster: ClusterConfig;
  auth: Pick<Config["auth"], "roles" | "oidc">;
}): Promise<ClusterRights> {
  const client = createClusterClient(cluster);
  try {
    const reading = await findLacking({ client, rights: listReadingRights(cluster) });
    const acting = await findActing({ client, cluster, auth });
    const lacking = [...reading, ...acting.lacking];
    const what = `${cluster.name} (access: ${cluster.access})`;
    const read = reading.length === 0 ? "may read all that it records" : "may not read all that it records";
    return {
      may: `${what}: ${[read, acting.may].filter((text) => text !== "").join("; ")}`,
      missing: lacking.map((right) => `${cluster.name}: may not ${formatRight(right)}; rule: ${formatRule(right)}`),
    };
  } finally {
    await client.close();
  }
}

type Acting = { may: string; lacking: NeededRight[] };

async function findActing({
  client,
  cluster,
  auth,
}: {
  client: ClusterClient;
  cluster: ClusterConfig;
  auth: Pick<Config["auth"], "roles" | "oidc">;
}): Promise<Acting> {
  if (cluster.access !== "act") return { may: "", lacking: [] };
  if (cluster.actAs === "serviceAccount") {
    const lacking = await findLacking({ client, rights: listActingRights(cluster) });
    return { may: lacking.length === 0 ? "acts with its own rights" : "lacks rights to act by itself", lacking };
  }
  const { users, groups } = listImpersonated({ cluster, auth });
  const ofGroups = await findImpersonation({ client, resource: "groups", names: groups });
  const ofUsers = await findImpersonation({ client, resource: "users", names: users });
  // Rules may name users whom no binding names. If groups may be impersonated, that is the likely case.
  const isPerhapsNamed = ofUsers.kind === "lacking" && users.length === 0 && ofGroups.kind !== "lacking";
  const told = [isPerhapsNamed ? "at most named users (which ones was not checked)" : ofUsers.text, ofGroups.text];
  return {
    may: `acts as the signed-in person, may impersonate ${told.join(" and ")}`,
    lacking: [...(isPerhapsNamed ? [] : ofUsers.lacking), ...ofGroups.lacking],
  };
}

type Impersonation = { kind: "any" | "named" | "lacking"; text: string; lacking: NeededRight[] };

/**
 * Finds the right to impersonate. Rules may be limited to names: if not all names are allowed, it checks the names that
 * the config knows.
 */
async function findImpersonation({
  client,
  resource,
  names,
}: {
  client: ClusterClient;
  resource: "users" | "groups";
  names: readonly string[];
}): Promise<Impersonation> {
  const right: NeededRight = { group: "", resource, verbs: ["impersonate"] };
  const [any] = await findLacking({ client, rights: [right] });
  if (any === undefined) return { kind: "any", text: `any ${resource}`, lacking: [] };
  const lacking = await findLacking({ client, rights: names.map((name) => ({ ...right, names: [name] })) });
  const allowed = names.filter((name) => lacking.every((each) => each.names?.[0] !== name));
  if (allowed.length === 0) return { kind: "lacking", text: `no ${resource}`, lacking: [right] };
  return { kind: "named", text: `${resource} ${allowed.join(", ")}`, lacking };
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
