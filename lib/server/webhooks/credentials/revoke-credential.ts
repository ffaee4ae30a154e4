import { z } from "zod";
import type { HookCredential } from "#lib/contract/hook.ts";
import { isClusterAdmin } from "#lib/domain/policy/rights.ts";
import { appendAudit } from "#lib/server/audit/append-audit.ts";
import { auditActorOf } from "#lib/server/platform/actor/actor.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { transactionTime } from "#lib/server/platform/db/database-time.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { readRow } from "#lib/server/platform/db/run-query.ts";
import { type Columns, tables } from "#lib/server/platform/db/tables.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";
import { credentialFields, serializeCredential } from "#lib/server/webhooks/credentials/credential-row.ts";

/**
 * Revokes a credential at once: the next call with it is refused. Repeating it is allowed. Throws `not_found`, also for
 * one of a cluster that the actor does not administer.
 */
export async function revokeHookCredential({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: { id: string };
}): Promise<HookCredential> {
  const { actor, runtime, requestId } = ctx;
  const missing = new ServiceError("not_found", `There is no credential ${input.id}.`);
  if (!z.uuid().safeParse(input.id).success) throw missing;
  const row = await prismaOn(runtime.pool).hookCredential.findFirst({
    where: { id: input.id },
    select: credentialFields,
  });
  if (row === null || !isClusterAdmin(actor.rights, row.cluster)) throw missing;
  if (row.revokedAt !== null) return serializeCredential(row);
  let revokedAt: Date | null = null;
  await appendAudit({
    pool: runtime.pool,
    entry: {
      actor: auditActorOf(actor),
      source: "gatehouse",
      code: "hook-credential.revoke",
      outcome: "applied",
      target: { cluster: row.cluster },
      detail: { id: row.id, name: row.name, purpose: row.purpose, namespaces: row.namespaces },
      requestId,
    },
    within: async (client) => {
      const revoked = await readRow(
        client,
        tables
          .updateTable("hook_credential")
          .set(
            ({ fn }) =>
              ({ revoked_at: fn.coalesce("revoked_at", transactionTime) }) satisfies Columns<"hook_credential">,
          )
          .where("id", "=", row.id)
          .returning("revoked_at"),
      );
      revokedAt = revoked?.revoked_at ?? null;
    },
  });
  return serializeCredential({ ...row, revokedAt });
}
