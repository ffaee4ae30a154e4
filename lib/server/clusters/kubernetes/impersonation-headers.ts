import { personExtra, sharedUser } from "#lib/domain/acting/own-identity.ts";
import type { ClusterIdentity } from "./cluster-client-types.ts";
import { ForbiddenIdentityError } from "./cluster-errors.ts";

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
