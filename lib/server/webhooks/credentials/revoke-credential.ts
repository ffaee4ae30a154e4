import { z } from "zod";
import type { HookCredential } from "#lib/contract/hook.ts";
import { isClusterAdmin } from "#lib/domain/policy/rights.ts";
import { appendChange } from "#lib/server/audit/append-audit.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import type { Call } from "#lib/server/process/service-context.ts";
import {
  type CredentialFields,
  credentialFields,
  serializeCredential,
} from "#lib/server/webhooks/credentials/credential-row.ts";

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
