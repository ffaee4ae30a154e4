import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { ListPage } from "#lib/contract/common.ts";
import {
  type CreatedHookCredential,
  type CreateHookCredentialRequest,
  type HookCredential,
  type HookCredentialListQuery,
  HookPurpose,
} from "#lib/contract/hook.ts";
import { isAdmin, isClusterAdmin } from "#lib/domain/policy/rights.ts";
import { appendChange } from "#lib/server/audit/append-audit.ts";
import { assertAdmin, requireAdmin } from "#lib/server/people/permission/require-admin.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { readDatabaseTime } from "#lib/server/platform/db/database-time.ts";
import type { Prisma } from "#lib/server/platform/db/generated/client.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { toColumn } from "#lib/server/platform/db/tables.ts";
import type { Call, ServiceContext } from "#lib/server/process/service-context.ts";
import { pageOf, parseListCursor } from "#lib/server/records/list-cursor.ts";
import { createHookSecret, hashHookSecret } from "#lib/server/webhooks/hook-secret.ts";

/** The fields of a credential that are shown. The hash never leaves the database. */
const credentialFields = {
  id: true,
  name: true,
  cluster: true,
  purpose: true,
  namespaces: true,
  createdBy: true,
  createdAt: true,
  expiresAt: true,
  revokedAt: true,
  lastUsedAt: true,
} as const satisfies Prisma.HookCredentialSelect;

type CredentialFields = Prisma.HookCredentialGetPayload<{ select: typeof credentialFields }>;

function serializeCredential(row: CredentialFields): HookCredential {
  return {
    id: row.id,
    name: row.name,
    cluster: row.cluster,
    purpose: HookPurpose.parse(row.purpose),
    namespaces: row.namespaces,
    createdBy: row.createdBy,
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt?.toISOString() ?? null,
    revokedAt: row.revokedAt?.toISOString() ?? null,
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
  };
}

const dayMs = 86_400_000;

/**
 * Creates a credential for a cluster's controller, or for its API server. Its secret is only in the answer. Several may be valid at once: to
 * change one, create another, put it into the hooks, and revoke the first. Throws `forbidden`, and `not_found` for a
 * cluster that the config does not name.
 */
export async function createHookCredential({
  ctx,
  input,
}: Call<CreateHookCredentialRequest>): Promise<CreatedHookCredential> {
  const { actor, runtime } = ctx;
  const { name, cluster, purpose, namespaces, expiresInDays } = input;
  await requireAdmin(ctx, { code: "hook-credential.create", cluster, detail: { name, cluster, purpose, namespaces } });
  if (!runtime.config().config.clusters.some((known) => known.name === cluster))
    throw new ServiceError("not_found", `The config names no cluster ${cluster}.`);
  const [id, secret] = [randomUUID(), createHookSecret()];
  let row: CredentialFields | undefined;
  await appendChange(ctx, {
    code: "hook-credential.create",
    target: { cluster },
    detail: { id, name, purpose, namespaces, expiresInDays: expiresInDays ?? null },
    within: async (client) => {
      const createdAt = await readDatabaseTime(client);
      row = await prismaOn(client).hookCredential.create({
        data: {
          id,
          name,
          cluster,
          purpose,
          namespaces: [...namespaces],
          secretHash: hashHookSecret(secret),
          createdBy: toColumn(actor.name),
          createdAt,
          expiresAt: expiresInDays === undefined ? null : new Date(createdAt.getTime() + expiresInDays * dayMs),
        },
        select: credentialFields,
      });
    },
  });
  if (row === undefined) throw new Error("the new credential was not returned");
  return { ...serializeCredential(row), secret };
}

const Key = z.tuple([z.uuid()]);

/**
 * Lists credentials of controllers, newest first: one cluster's, or those of all clusters that the actor administers.
 * Throws `forbidden`.
 */
export async function listHookCredentials({
  ctx,
  input,
}: Call<HookCredentialListQuery>): Promise<ListPage<HookCredential>> {
  const after = parseListCursor(Key, input.cursor);
  const rows = await prismaOn(ctx.runtime.pool).hookCredential.findMany({
    where: chooseClusters(ctx, input.cluster),
    select: credentialFields,
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    take: input.limit + 1,
    ...(after === undefined ? {} : { cursor: { id: after[0] }, skip: 1 }),
  });
  return pageOf({ rows, limit: input.limit, keyOf: (row) => [row.id], toItem: serializeCredential });
}

function chooseClusters(ctx: ServiceContext, cluster: string | undefined): { cluster?: string | { in: string[] } } {
  const { rights } = ctx.actor;
  if (cluster === undefined && !isAdmin(rights)) {
    const configured = ctx.runtime.config().config.clusters.map(({ name }) => name);
    const administered = configured.filter((name) => isClusterAdmin(rights, name));
    if (administered.length > 0) return { cluster: { in: administered } };
  }
  assertAdmin(ctx, cluster);
  return cluster === undefined ? {} : { cluster };
}

/**
 * Revokes a credential at once: the next call with it is refused. Repeating it is allowed. Throws `not_found`, also for
 * one of a cluster that the actor does not administer.
 */
export async function revokeHookCredential({ ctx, input }: Call<{ id: string }>): Promise<HookCredential> {
  const { actor, runtime } = ctx;
  const missing = new ServiceError("not_found", `There is no credential ${input.id}.`);
  if (!z.uuid().safeParse(input.id).success) throw missing;
  const row = await prismaOn(runtime.pool).hookCredential.findFirst({
    where: { id: input.id },
    select: credentialFields,
  });
  if (row === null || !isClusterAdmin(actor.rights, row.cluster)) throw missing;
  if (row.revokedAt !== null) return serializeCredential(row);
  let revoked: CredentialFields | undefined;
  await appendChange(ctx, {
    code: "hook-credential.revoke",
    target: { cluster: row.cluster },
    detail: { id: row.id, name: row.name, purpose: row.purpose, namespaces: row.namespaces },
    within: async (client, { time }) => {
      await prismaOn(client).hookCredential.updateMany({
        where: { id: row.id, revokedAt: null },
        data: { revokedAt: time },
      });
      revoked = await prismaOn(client).hookCredential.findFirstOrThrow({
        where: { id: row.id },
        select: credentialFields,
      });
    },
  });
  return serializeCredential(revoked ?? row);
}
