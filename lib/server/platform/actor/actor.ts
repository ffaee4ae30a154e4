import type { Pool } from "pg";
import type { Logger } from "pino";
import type { AuditActor } from "#lib/contract/audit.ts";
import type { Role } from "#lib/contract/common.ts";
import type { Rights } from "#lib/domain/policy/rights.ts";

/** The caller: a signed-in person, an API token that acts as its owner, or Gatehouse itself. */
export type Actor = {
  type: "user" | "token" | "system";
  userId: string;
  issuer: string;
  subject: string;
  /** Display name. */
  name: string;
  /** The strongest role in any scope: it labels the person. Permission checks use `rights`. */
  role: Role;
  rights: Rights;
  groups: readonly string[];
  /** The claims or token fields from which each cluster's mapping makes its username and groups. */
  username: string;
  claims: Readonly<Record<string, unknown>>;
  /** Has the name of a robot that bindings name, without being that robot: no cluster may confuse the two. */
  hasNameOfRobot?: boolean;
  token?: { id: string; name: string };
  /** `authenticatedAt` is when the person last signed in; null if the provider did not say. */
  session?: { id: string; authenticatedAt: Date | null; idleExpiresAt: Date; absoluteExpiresAt: Date };
};

/** The context of a use case that needs the database and no more. Every `ServiceContext` is one. */
export type StoreContext = {
  runtime: { pool: Pool; log: Logger; now(): Date };
  actor: Actor;
  requestId: string;
};

/** The argument of such a use case. */
export type StoreCall<Input> = { ctx: StoreContext; input: Input };

/** Returns the actor's key for idempotency keys and rate limits: the same across all sessions and tokens of a user. */
export function actorKey(actor: Pick<Actor, "issuer" | "subject">): string {
  return `${actor.issuer}|${actor.subject}`;
}

/** Splits an `actorKey` into issuer and subject. An issuer is a URL or a word of ours, and contains no bar. */
export function parseActorKey(key: string): { issuer: string; subject: string } {
  const at = key.indexOf("|");
  return { issuer: key.slice(0, Math.max(0, at)), subject: key.slice(at + 1) };
}

/** Names the actor for the audit log: a token together with its owner. */
export function auditActorOf(actor: Actor): AuditActor {
  return {
    type: actor.type,
    issuer: actor.issuer,
    subject: actor.subject,
    name: actor.name,
    ...(actor.token === undefined ? {} : { token: { ...actor.token } }),
  };
}

/** Describes a person in the detail of an audit entry: a display name by itself could be anybody's. */
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
