import type { DeviceDecision, DeviceRequest } from "#lib/contract/device-sign-in.ts";
import { hasRole } from "#lib/domain/policy/rights.ts";
import { appendAudit, appendChange } from "#lib/server/audit/append-audit.ts";
import { hashUserCode, parseUserCode } from "#lib/server/people/auth/device-codes.ts";
import { assertSessionOpen } from "#lib/server/people/auth/stored-session.ts";
import { assertMayGuess, countGuess } from "#lib/server/people/device/device-limits.ts";
import { assertWithinLimit } from "#lib/server/people/tokens/token-row.ts";
import { actorKey } from "#lib/server/platform/actor/actor.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import type { Prisma } from "#lib/server/platform/db/generated/client.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import type { Call, ServiceContext } from "#lib/server/process/service-context.ts";
import type { WebRuntime } from "#lib/server/process/web-runtime.ts";

const shown = {
  id: true,
  deviceName: true,
  address: true,
  peer: true,
  userAgent: true,
  createdAt: true,
  expiresAt: true,
} as const satisfies Prisma.DeviceRequestSelect;

type DeviceRow = Prisma.DeviceRequestGetPayload<{ select: typeof shown }>;

/** Returns the pending request of a code, to the person who decides it. Throws as `findPendingDevice` does. */
export async function getDeviceRequest({
  ctx,
  input: { userCode },
  runtime: { secret },
}: Call<{ userCode: string }> & { runtime: Pick<WebRuntime, "secret"> }): Promise<DeviceRequest> {
  return serializeDevice(await findPendingDevice({ ctx, userCode, secret }), "pending");
}

/**
 * Finds the pending request of a code. Throws `forbidden` for a token: a leaked one must not multiply. Throws `not_found`
 * alike for a code that is unknown, used or expired, and `rate_limited` after too many of those.
 */
async function findPendingDevice({
  ctx: { actor, runtime },
  userCode,
  secret,
}: {
  ctx: ServiceContext;
  userCode: string;
  secret: string;
}): Promise<DeviceRow> {
  if (actor.type !== "user") throw new ServiceError("forbidden", "Only a person in a browser can sign in a terminal.");
  const now = runtime.now();
  const person = actorKey(actor);
  assertMayGuess({ runtime, person, now });
  const code = parseUserCode(userCode);
  const row =
    code === undefined
      ? null
      : await prismaOn(runtime.pool).deviceRequest.findFirst({
          where: {
            userCodeHash: hashUserCode(code, secret),
            state: "pending",
            expiresAt: { gt: now },
          },
          select: shown,
        });
  if (row !== null) return row;
  countGuess({ runtime, person, now });
  throw new ServiceError("not_found", "No terminal waits with this code: it is wrong, used or expired.");
}

function serializeDevice(row: DeviceRow, state: DeviceRequest["state"]): DeviceRequest {
  const { createdAt, expiresAt, ...rest } = row;
  return { ...rest, state, createdAt: createdAt.toISOString(), expiresAt: expiresAt.toISOString() };
}

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
}: Call<DeviceDecision & { userCode: string }> & { runtime: Pick<WebRuntime, "secret"> }): Promise<DeviceRequest> {
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
  const pendingRequest = { id, state: "pending", expiresAt: { gt: now } } as const;
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
      if (isApproved) await assertWithinLimit(client, { ownerId: actor.userId, more: 1 });
      const waiting = await prismaOn(client).deviceRequest.count({ where: pendingRequest });
      if (waiting === 0) throw decidedBefore();
    },
  });
  await appendChange(ctx, {
    code: isApproved ? "device.approve" : "device.refuse",
    detail: { ...asked, ...(isApproved ? { role, expiresInDays } : {}) },
    within: async (client) => {
      await assertSessionOpen(client, actor);
      if (isApproved) await assertWithinLimit(client, { ownerId: actor.userId, more: 1 });
      const decided = await prismaOn(client).deviceRequest.updateMany({
        where: pendingRequest,
        data: {
          state,
          decidedAt: now,
          ownerId: actor.userId,
          ...(isApproved ? { username: actor.username, groups: [...actor.groups], role, expiresInDays } : {}),
        },
      });
      if (decided.count === 0) throw decidedBefore();
    },
  });
  return serializeDevice(device, state);
}

function decidedBefore(): ServiceError {
  return new ServiceError("conflict", "The request has been decided or has expired.");
}
