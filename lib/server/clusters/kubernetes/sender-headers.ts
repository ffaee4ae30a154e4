import { personExtra, sharedUser } from "#lib/domain/acting/own-identity.ts";
import type { ClusterConfig } from "#lib/server/platform/config/cluster-schema.ts";
import type { ClusterIdentity, ClusterRequest, PersonMode } from "./cluster-client-types.ts";
import { ForbiddenIdentityError } from "./cluster-errors.ts";

/** Sent by POST, but they change nothing: who am I, may I, may another user. */
const questions = new Set([
  "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
  "/apis/authorization.k8s.io/v1/subjectaccessreviews",
  "/apis/authentication.k8s.io/v1/selfsubjectreviews",
]);

/** Where an Event is created: it changes no other object. */
const newEvent = /^\/api\/v1\/namespaces\/[a-z0-9-]+\/events$/;

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
    if (isChange && method !== "PATCH" && !(method === "POST" && newEvent.test(path)))
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

/**
 * Returns headers that send a request as `identity`; each group has its own header. Only mode `user` makes the person the
 * user. Throws `ForbiddenIdentityError` for an empty name (which a server takes as "no impersonation", that is, as
 * ourselves) and for names that begin with `system:`.
 */
export function impersonationHeaders({ mode, username, groups }: ClusterIdentity): Record<string, string | string[]> {
  assertName({ what: "user name", name: username });
  for (const group of groups) assertName({ what: "group", name: group });
  const sent = [...new Set(groups)].map(toHeaderText);
  const person = toHeaderText(username);
  return {
    ...(mode === "user"
      ? { "impersonate-user": person }
      : { "impersonate-user": sharedUser, [`impersonate-extra-${encodeURIComponent(personExtra)}`]: person }),
    ...(sent.length > 0 ? { "impersonate-group": sent } : {}),
  };
}

/**
 * Encodes a name for a header. HTTP clients write one byte per character, API servers read UTF-8: without this, names
 * beyond ASCII would arrive as other names, perhaps as somebody else's.
 */
function toHeaderText(name: string): string {
  return Buffer.from(name, "utf8").toString("latin1");
}

function assertName({ what, name }: { what: string; name: string }): void {
  const shown = JSON.stringify(name.slice(0, 100));
  if (name.trim() === "") throw new ForbiddenIdentityError(`refused to act at the cluster with an empty ${what}`);
  if (/^\s*system:/i.test(name)) throw new ForbiddenIdentityError(`refused to act at the cluster as ${what} ${shown}`);
  if (/[\p{C}\p{Zl}\p{Zp}]/u.test(name) || !name.isWellFormed() || name !== name.trim())
    throw new ForbiddenIdentityError(`the ${what} ${shown} cannot stand in a request header`);
}
