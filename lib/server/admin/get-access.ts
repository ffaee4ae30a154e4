import type { AdminAccess, AdminBinding, BindingMark, BoundToken, KnownSubject } from "#lib/contract/admin-access.ts";
import { matchGlob } from "#lib/domain/policy/match-glob.ts";
import { listKnownSubjects, readTokens } from "#lib/server/admin/read-known-subjects.ts";
import { peopleIssuer } from "#lib/server/admin/suppose-actor.ts";
import { assertAdmin } from "#lib/server/people/permission/require-admin.ts";
import type { RoleBinding } from "#lib/server/platform/config/policy-schema.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";

/** Lists the role bindings of the config in force, and whom Gatehouse has seen. */
export async function getAdminAccess({ ctx }: { ctx: ServiceContext }): Promise<AdminAccess> {
  assertAdmin(ctx);
  const { runtime } = ctx;
  const { config } = runtime.config();
  const clusters = config.clusters.map(({ name }) => name);
  const { known: found, allKnown } = await listKnownSubjects(runtime.pool, peopleIssuer(runtime));
  const known = found.map(({ shown }) => shown);
  const ids = [...new Set(config.auth.roles.flatMap(({ tokens }) => tokens))].filter(isUuid);
  const named = new Map((await readTokens(runtime.pool, ids)).map((token) => [token.id, token]));
  const bound = (id: string): BoundToken => {
    const token = named.get(id);
    return {
      id,
      name: token?.name ?? null,
      state: token === undefined ? "unknown" : stateOf(token, runtime.now()),
      expiresAt: token?.expiresAt?.toISOString() ?? null,
    };
  };
  return {
    issuer: config.auth.oidc?.issuer ?? null,
    demo: runtime.localAccounts !== undefined,
    bindings: config.auth.roles.map((binding, index) => {
      const tokens = binding.tokens.map(bound);
      return {
        ...describeBinding(binding, index),
        tokens,
        marks: findMarks({ binding, tokens, known, allKnown, clusters }),
      };
    }),
    clusters,
    known,
    allKnown,
  };
}

export function bindingPath(index: number): string {
  return `auth.roles[${index}]`;
}

function describeBinding(binding: RoleBinding, index: number): Omit<AdminBinding, "tokens" | "marks"> {
  const { tokens: _, clusters, namespaces, rollouts, ...rest } = binding;
  return { path: bindingPath(index), ...rest, scope: { clusters, namespaces, rollouts } };
}

type Marking = {
  binding: RoleBinding;
  tokens: readonly BoundToken[];
  known: readonly KnownSubject[];
  allKnown: boolean;
  clusters: readonly string[];
};

/** Finds what looks wrong in a binding: it may be a mistake, or somebody who has not signed in yet. */
export function findMarks({ binding, tokens, known, allKnown, clusters }: Marking): BindingMark[] {
  const lost = binding.clusters.filter((pattern) => !clusters.some((cluster) => matchGlob(pattern, cluster)));
  const over = tokens.filter(({ state }) => state !== "valid");
  const isSeen = known.some((subject) => names(binding, subject)) || tokens.some(({ state }) => state === "valid");
  return [
    ...(isSeen || !allKnown ? [] : [{ kind: "nobody" as const, text: "Matches no one seen so far." }]),
    ...lost.map((pattern) => ({ kind: "cluster" as const, text: `No configured cluster matches ${pattern}.` })),
    ...over.map(({ id, name, state }) => ({
      kind: "token" as const,
      text: `Token ${name ?? id} is ${stateWords[state]}.`,
    })),
  ];
}

const stateWords = { valid: "valid", expired: "expired", revoked: "revoked", unknown: "not known" } as const;

function names(binding: RoleBinding, { kind, username, subject, groups }: KnownSubject): boolean {
  if (kind === "token") return false;
  const isNamed =
    kind === "robot"
      ? binding.robots.includes(username)
      : binding.users.includes(username) || binding.subjects.includes(subject);
  return isNamed || binding.groups.some((group) => groups.includes(group));
}

function stateOf(
  { revokedAt, expiresAt }: { revokedAt: Date | null; expiresAt: Date | null },
  now: Date,
): BoundToken["state"] {
  if (revokedAt !== null) return "revoked";
  return expiresAt !== null && expiresAt <= now ? "expired" : "valid";
}

/** Bindings may name anything as a token; ids are compared in the database as uuids. */
function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
}
