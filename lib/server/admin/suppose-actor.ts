import type { PermissionAnswer, PermissionQuery } from "#lib/contract/admin-access.ts";
import { Role } from "#lib/contract/common.ts";
import { readKnownToken, readRobotToken, readSeenPerson } from "#lib/server/admin/read-known-subjects.ts";
import { hasNameOfRobot, type Identity, robotIssuer, type Subject } from "#lib/server/people/auth/derive-rights.ts";
import { deriveRightsNow } from "#lib/server/people/auth/derive-rights-now.ts";
import { tokenClaims } from "#lib/server/people/auth/token-secret.ts";
import type { Actor } from "#lib/server/platform/actor/actor.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import type { Runtime } from "#lib/server/process/runtime-types.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";

export type SupposedActor = {
  subject: Subject;
  described: PermissionAnswer["subject"];
  /** The actor as an authenticated request of theirs would have it; undefined if they have no rights at all. */
  actor: Actor | undefined;
};

/** Returns the issuer of people in the config in force; "" without one. */
export function peopleIssuer(runtime: Pick<Runtime, "config" | "localAccounts">): string {
  return runtime.localAccounts?.issuer ?? runtime.config().config.auth.oidc?.issuer ?? "";
}

/**
 * Builds the actor that a subject's request would have, from the question and from Gatehouse's records of the subject.
 * Rights are derived as for a request. Throws `not_found` for a token that does not exist, is expired or revoked.
 */
export async function supposeActor(
  { runtime }: Pick<ServiceContext, "runtime">,
  query: PermissionQuery,
): Promise<SupposedActor> {
  if (query.who === "token") return supposeToken(runtime, query.token ?? "");
  return query.who === "robot" ? supposeRobot(runtime, query) : supposePerson(runtime, query);
}

async function supposePerson(runtime: Runtime, query: PermissionQuery): Promise<SupposedActor> {
  const { username = "" } = query;
  const issuer = peopleIssuer(runtime);
  const seen = await readSeenPerson(runtime.pool, { issuer, username, subject: query.subject });
  const asked = splitGroups(query.groups);
  const groups = asked ?? seen?.groups ?? [];
  // A local account's subject is its name.
  const subject = query.subject ?? seen?.user.subject ?? (issuer === runtime.localAccounts?.issuer ? username : "");
  const identity: Identity = { issuer, subject, username, groups };
  const claims = seen?.claims ?? {};
  return suppose({
    runtime,
    subject: { identity },
    type: "user",
    name: seen?.user.name ?? username,
    claims: { ...claims, ...tokenClaims({ runtime, subject, username, groups }) },
    described: {
      kind: "person",
      groupsFrom: asked === undefined ? (seen === null ? "none" : "session") : "question",
      seen: seen !== null,
    },
  });
}

async function supposeRobot(runtime: Runtime, query: PermissionQuery): Promise<SupposedActor> {
  const { username = "" } = query;
  const seen = await readRobotToken(runtime.pool, username);
  const asked = splitGroups(query.groups);
  const groups = asked ?? seen?.groups ?? [];
  const subject = seen?.owner.subject ?? username;
  return suppose({
    runtime,
    subject: { identity: { issuer: robotIssuer, subject, username, groups } },
    type: "token",
    name: seen?.owner.name ?? username,
    claims: tokenClaims({ runtime, subject, username, groups }),
    described: {
      kind: "robot",
      groupsFrom: asked === undefined ? (seen === null ? "none" : "token") : "question",
      seen: seen !== null,
    },
  });
}

async function supposeToken(runtime: Runtime, id: string): Promise<SupposedActor> {
  const token = await readKnownToken(runtime.pool, id);
  const role = Role.safeParse(token?.role);
  const isOver = token?.revokedAt != null || (token?.expiresAt != null && token.expiresAt <= runtime.now());
  if (token === null || isOver || !role.success)
    throw new ServiceError("not_found", `There is no valid token ${id}: unknown, expired or revoked.`);
  const { username, groups } = token;
  const { issuer, subject } = token.owner;
  return suppose({
    runtime,
    subject: {
      identity: { issuer, subject, username, groups },
      token: { id, role: role.data, restricted: token.restricted },
    },
    type: "token",
    name: token.name,
    claims: tokenClaims({ runtime, subject, username, groups }),
    described: { kind: "token", groupsFrom: "token", seen: true },
  });
}

function suppose({
  runtime,
  subject,
  type,
  name,
  claims,
  described,
}: {
  runtime: Runtime;
  subject: Subject;
  type: "user" | "token";
  name: string;
  claims: Record<string, unknown>;
  described: Pick<PermissionAnswer["subject"], "kind" | "groupsFrom" | "seen">;
}): SupposedActor {
  const { identity, token } = subject;
  const { issuer, username, groups } = identity;
  const granted = deriveRightsNow(runtime, subject);
  const supposed = {
    subject,
    described: { ...described, name, username, subject: identity.subject, groups: [...groups] },
  };
  if (granted === undefined) return { ...supposed, actor: undefined };
  const actor: Actor = {
    type,
    userId: "",
    issuer,
    subject: identity.subject,
    name,
    ...granted,
    groups,
    username,
    claims,
    hasNameOfRobot: hasNameOfRobot({ issuer, username }, runtime.config().config.auth),
    ...(token === undefined ? {} : { token: { id: token.id, name } }),
  };
  return { ...supposed, actor };
}

/** Returns undefined if the question names no groups: then those last seen count. */
function splitGroups(text: string | undefined): string[] | undefined {
  if (text === undefined) return undefined;
  return [...new Set(text.split(",").map((group) => group.trim()))].filter((group) => group !== "");
}
