import type { PoolClient } from "pg";
import type { DeviceDecision, DeviceRequest } from "#lib/contract/device-sign-in.ts";
import { hasRole } from "#lib/domain/policy/rights.ts";
import { appendAudit } from "#lib/server/audit/append-audit.ts";
import { findPendingDevice, serializeDevice } from "#lib/server/people/device/find-device-request.ts";
import { assertWithinLimit } from "#lib/server/people/tokens/assert-within-limit.ts";
import { auditActorOf } from "#lib/server/platform/actor/actor.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { readRow } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";
import type { WebRuntime } from "#lib/server/process/web-runtime.ts";

const usual = { role: "viewer", expiresInDays: 7 } as const;

/**
 * Approves or refuses the request of a terminal. An approved one gets a token that acts as the caller, with the limits of
 * `createToken`, when it next asks. Throws as `findPendingDevice` does, `forbidden` for a stronger role than the caller's,
 * and `conflict` if the request was decided at the same time or the caller has as many tokens as allowed.
 */
export async function decideDeviceRequest({
  ctx,
  input,
  runtime: { secret },
}: {
  ctx: ServiceContext;
  input: DeviceDecision & { userCode: string };
  runtime: Pick<WebRuntime, "secret">;
}): Promise<DeviceRequest> {
  const { actor, runtime } = ctx;
  const device = await findPendingDevice({ ctx, userCode: input.userCode, secret });
  const isApproved = input.decision === "approve";
  const { role = usual.role, expiresInDays = usual.expiresInDays } = input;
  if (isApproved && !hasRole(actor.role, role))
    throw new ServiceError("forbidden", `Your role is ${actor.role}: a token cannot have the role ${role}.`);
  const state = isApproved ? "approved" : "refused";
  const now = runtime.now();
  const { id, deviceName, address, peer } = device;
  const asked = { request: id, device: deviceName, address, ...(peer === address ? {} : { peer }) };
  // Anybody can ask, so the log has it only now; the first transaction checks what the second one would refuse.
  await appendAudit({
    pool: runtime.pool,
    entry: {
      actor: { type: "unknown", name: "unknown" },
      source: "gatehouse",
      code: "device.ask",
      outcome: "applied",
      detail: { ...asked, at: device.createdAt.toISOString() },
      requestId: ctx.requestId,
    },
    within: async (client) => {
      if (isApproved) await assertMayHaveToken(ctx, client);
      const pending = await readRow(client, pendingRequest({ id, now }));
      if (pending === undefined) throw decidedBefore();
    },
  });
  await appendAudit({
    pool: runtime.pool,
    entry: {
      actor: auditActorOf(actor),
      source: "gatehouse",
      code: isApproved ? "device.approve" : "device.refuse",
      outcome: "applied",
      detail: { ...asked, ...(isApproved ? { role, expiresInDays } : {}) },
      requestId: ctx.requestId,
    },
    within: async (client) => {
      if (isApproved) await assertMayHaveToken(ctx, client);
      const decided = await readRow(
        client,
        tables
          .updateTable("device_request")
          .set({
            state,
            decided_at: now,
            owner_id: actor.userId,
            ...(isApproved
              ? { username: actor.username, groups: [...actor.groups], role, expires_in_days: expiresInDays }
              : {}),
          })
          .where("id", "=", id)
          .where("state", "=", "pending")
          .where("expires_at", ">", now)
          .returning("id"),
      );
      if (decided === undefined) throw decidedBefore();
    },
  });
  return serializeDevice(device, state);
}

function pendingRequest({ id, now }: { id: string; now: Date }) {
  return tables
    .selectFrom("device_request")
    .select("id")
    .where("id", "=", id)
    .where("state", "=", "pending")
    .where("expires_at", ">", now);
}

async function assertMayHaveToken({ actor, runtime }: ServiceContext, client: PoolClient): Promise<void> {
  const { tokensPerPerson } = runtime.config().config.limits;
  await assertWithinLimit(client, { ownerId: actor.userId, limit: tokensPerPerson, more: 1 });
}

function decidedBefore(): ServiceError {
  return new ServiceError("conflict", "The request has been decided or has expired.");
}
