import type { ClusterConfig } from "#lib/server/platform/config/cluster-schema.ts";
import type { ClusterIdentity, ClusterRequest, PersonMode } from "./cluster-client-types.ts";
import { ForbiddenIdentityError } from "./cluster-errors.ts";
import { impersonationHeaders } from "./impersonation-headers.ts";

/** Sent by POST, but they change nothing: who am I, may I, may another user. */
const questions = new Set([
  "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
  "/apis/authorization.k8s.io/v1/subjectaccessreviews",
  "/apis/authentication.k8s.io/v1/selfsubjectreviews",
]);

type Sending = Pick<ClusterConfig, "name" | "access" | "actAs" | "impersonation">;

/** Returns the mode in which requests for people are sent, by the config of the cluster. */
export function senderModeOf({
  actAs,
  impersonation: { users, allowAnyUser },
}: Pick<Sending, "actAs" | "impersonation">): PersonMode {
  if (actAs === "serviceAccount") return "serviceAccount";
  return users !== undefined || allowAnyUser ? "user" : "groups";
}

/**
 * Returns the headers that identify whom a request is sent for. This is the last gate before the wire. Invariant,
 * regardless of earlier failures: nothing is changed in a read-only cluster, nothing without a person or Gatehouse's
 * own decision, and nothing for a person with our own rights, or as a user of their own, unless the config allows it.
 * Throws `ForbiddenIdentityError`.
 */
export function headersOfSender({
  config,
  request,
}: {
  config: Sending;
  request: Pick<ClusterRequest, "method" | "path" | "as">;
}): Record<string, string | string[]> {
  const { method, path, as } = request;
  const isChange = method !== "GET" && !(method === "POST" && questions.has(path));
  if (isChange && config.access !== "act")
    throw new ForbiddenIdentityError(`cluster ${config.name} is only read: ${method} was not sent`);
  if (as === undefined) {
    if (isChange)
      throw new ForbiddenIdentityError(`${method} at cluster ${config.name} names no user: it was not sent`);
    return { "user-agent": "gatehouse" };
  }
  // Not for a person: Gatehouse acts as itself.
  if (as.mode === "own") {
    if (isChange && method !== "PATCH")
      throw new ForbiddenIdentityError(`Gatehouse sends no ${method} by its own decision`);
    return { "user-agent": "gatehouse (own decision)" };
  }
  // Checked in all modes, so that a change of mode admits no one who was refused before.
  const impersonation = impersonationHeaders(as);
  if (as.mode === "serviceAccount" && config.actAs !== "serviceAccount")
    throw new ForbiddenIdentityError(
      `cluster ${config.name} takes requests as the person alone (actAs: impersonation)`,
    );
  if (as.mode === "user" && !maySendUser(config, as.username))
    throw new ForbiddenIdentityError(
      `cluster ${config.name} takes no requests as user ${JSON.stringify(as.username.slice(0, 100))} (impersonation.users)`,
    );
  if (as.mode !== "serviceAccount") return { "user-agent": "gatehouse", ...impersonation };
  return { "user-agent": nameInUserAgent(as) };
}

/** `username`: with the prefix of the cluster. */
export function maySendUser({ impersonation }: Pick<Sending, "impersonation">, username: string): boolean {
  const { users = [], usernamePrefix, allowAnyUser } = impersonation;
  return allowAnyUser || users.some((name) => usernamePrefix + name === username);
}

/** Puts the person into the user agent: the cluster's audit log then shows for whom the service account acted. */
function nameInUserAgent({ username }: ClusterIdentity): string {
  return `gatehouse (for ${encodeURIComponent(username).slice(0, 200)})`;
}
