import type { Role } from "#lib/contract/common.ts";

/** Who asks: a signed-in person, or an API token that acts as its owner. */
export type Actor = {
  type: "user" | "token";
  userId: string;
  issuer: string;
  subject: string;
  /** Display name. */
  name: string;
  role: Role;
  groups: readonly string[];
  /** The claims or token fields from which each cluster's mapping makes its username and groups. */
  username: string;
  claims: Readonly<Record<string, unknown>>;
  token?: { id: string; name: string };
  session?: { id: string; idleExpiresAt: Date; absoluteExpiresAt: Date };
};

/** Names the actor in idempotency keys and rate limits: a user is the same over all sessions and tokens. */
export function actorKey(actor: Actor): string {
  return `${actor.issuer}|${actor.subject}`;
}
