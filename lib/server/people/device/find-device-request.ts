import type { DeviceRequest } from "#lib/contract/device-sign-in.ts";
import { hashUserCode, parseUserCode } from "#lib/server/people/auth/device-codes.ts";
import { assertMayGuess, countGuess } from "#lib/server/people/device/device-limits.ts";
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
export async function findPendingDevice({
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

export function serializeDevice(row: DeviceRow, state: DeviceRequest["state"]): DeviceRequest {
  const { createdAt, expiresAt, ...rest } = row;
  return { ...rest, state, createdAt: createdAt.toISOString(), expiresAt: expiresAt.toISOString() };
}
