import { type HookCredential, HookPurpose } from "#lib/contract/hook.ts";
import type { Prisma } from "#lib/server/platform/db/generated/client.ts";

/** The fields of a credential that are shown. The hash never leaves the database. */
export const credentialFields = {
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

export type CredentialFields = Prisma.HookCredentialGetPayload<{ select: typeof credentialFields }>;

export function serializeCredential(row: CredentialFields): HookCredential {
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
