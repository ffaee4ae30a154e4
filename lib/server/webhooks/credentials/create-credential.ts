import { randomUUID } from "node:crypto";
import type { CreatedHookCredential, CreateHookCredentialRequest } from "#lib/contract/hook.ts";
import { appendChange } from "#lib/server/audit/append-audit.ts";
import { requireAdmin } from "#lib/server/people/permission/require-admin.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { readDatabaseTime } from "#lib/server/platform/db/database-time.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { toColumn } from "#lib/server/platform/db/tables.ts";
import type { Call } from "#lib/server/process/service-context.ts";
import {
  type CredentialFields,
  credentialFields,
  serializeCredential,
} from "#lib/server/webhooks/credentials/credential-row.ts";
import { createHookSecret, hashHookSecret } from "#lib/server/webhooks/hook-secret.ts";

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
