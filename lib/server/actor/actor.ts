import type { Role } from "#lib/contract/common.ts";
import type { Rights } from "#lib/domain/policy/rights.ts";

/** Who asks: a signed-in person, or an API token that acts as its owner. */
export type Actor = {
  type: "user" | "token";
  userId: string;
  issuer: string;
  subject: string;
  /** Display name. */
  name: string;
  /** The strongest role anywhere: what the person is called. Whether something may be done is asked of `rights`. */
  role: Role;
  rights: Rights;
  groups: readonly string[];
  /** The claims or token fields from which each cluster's mapping makes its username and groups. */
  username: string;
  claims: Readonly<Record<string, unknown>>;
  /** Has the name of a robot that bindings name, without being it: no cluster may take one for the other. */
  hasNameOfRobot?: boolean;
  token?: { id: string; name: string };
  /** `authenticatedAt` is when the person last proved who they are; null where the provider did not say. */
  session?: { id: string; authenticatedAt: Date | null; idleExpiresAt: Date; absoluteExpiresAt: Date };
};

/** Names the actor in idempotency keys and rate limits: a user is the same over all sessions and tokens. */
export function actorKey(actor: Pick<Actor, "issuer" | "subject">): string {
  return `${actor.issuer}|${actor.subject}`;
}

/** Issuer and subject of an `actorKey`. An issuer is a URL or a word of ours, and has no bar. */
export function parseActorKey(key: string): { issuer: string; subject: string } {
  const at = key.indexOf("|");
  return { issuer: key.slice(0, Math.max(0, at)), subject: key.slice(at + 1) };
}

/** A person in the detail of an audit entry: the display name alone could be anybody's. */
export function describePerson({
  key,
  name,
  username,
}: {
  key: string;
  name: string | null;
  username: string | null;
}): Record<string, string> {
  return { ...parseActorKey(key), name: name ?? "", ...(username === null ? {} : { username }) };
}
