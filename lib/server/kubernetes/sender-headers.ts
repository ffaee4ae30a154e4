import type { ClusterConfig } from "#lib/server/config/config-schema.ts";
import type { ClusterIdentity, ClusterRequest } from "./cluster-client-types.ts";
import { ForbiddenIdentityError } from "./cluster-errors.ts";
import { impersonationHeaders } from "./impersonation-headers.ts";

/** Asked by POST, but they change nothing: who am I, may I. */
const questions = new Set([
  "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
  "/apis/authentication.k8s.io/v1/selfsubjectreviews",
]);

/**
 * The headers that say whom a request is sent for. The last gate before the wire: whatever went wrong before it,
 * nothing is changed in a cluster that is only read, and nothing is changed without a person, or with our own rights
 * where the config does not say so. Throws `ForbiddenIdentityError`.
 */
export function headersOfSender({
  config,
  request,
}: {
  config: Pick<ClusterConfig, "name" | "access" | "actAs">;
  request: Pick<ClusterRequest, "method" | "path" | "as">;
}): Record<string, string | string[]> {
  const { method, path, as } = request;
  const isChange = method !== "GET" && !(method === "POST" && questions.has(path));
  if (isChange && config.access !== "act")
    throw new ForbiddenIdentityError(`cluster ${config.name} is only read: ${method} was not sent`);
  if (as === undefined) {
    if (isChange) throw new ForbiddenIdentityError(`${method} at cluster ${config.name} names nobody: it was not sent`);
    return { "user-agent": "gatehouse" };
  }
  // Checked in both modes, so that a change of mode lets nobody in who was refused before.
  const impersonation = impersonationHeaders(as);
  if (as.mode !== "serviceAccount") return { "user-agent": "gatehouse", ...impersonation };
  if (config.actAs !== "serviceAccount")
    throw new ForbiddenIdentityError(
      `cluster ${config.name} takes requests as the person alone (actAs: impersonation)`,
    );
  return { "user-agent": nameInUserAgent(as) };
}

/** The cluster's own audit log keeps the user agent: so it can tell for whom the service account acted. */
function nameInUserAgent({ username }: ClusterIdentity): string {
  return `gatehouse (for ${encodeURIComponent(username).slice(0, 200)})`;
}
