import { randomUUID } from "node:crypto";
import { createDeviceCode, createUserCode, hashUserCode, parseUserCode } from "#lib/server/people/auth/device-codes.ts";
import { hashToken } from "#lib/server/people/auth/token-secret.ts";
import { takeDeviceAsk } from "#lib/server/people/device/device-limits.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { write } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import type { WebRuntime } from "#lib/server/process/web-runtime.ts";

export const deviceCodeSeconds = 600;
export const firstIntervalSeconds = 5;
const keptMs = 24 * 3_600_000;
/** Requests that wait for a person at the same time. */
const maxPending = 1000;

export type AskedDevice = { deviceCode: string; userCode: string };

/**
 * Stores a terminal's request to be signed in. No person is known yet: the audit log has it once a person decides.
 * Throws `rate_limited`. Deletes requests that ended a day ago, and the surplus of pending ones.
 */
export async function askDeviceSignIn({
  runtime,
  deviceName,
  address,
  peer,
  userAgent,
}: {
  runtime: WebRuntime;
  deviceName: string;
  address: string;
  peer: string;
  userAgent: string | undefined;
}): Promise<AskedDevice> {
  const now = runtime.now();
  takeDeviceAsk({ runtime, address, now });
  const [deviceCode, userCode] = [createDeviceCode(), createUserCode()];
  const code = parseUserCode(userCode);
  if (code === undefined) throw new Error("a new user code cannot be read");
  await prismaOn(runtime.pool).deviceRequest.deleteMany({
    where: { expiresAt: { lt: new Date(now.getTime() - keptMs) } },
  });
  const stored = await prismaOn(runtime.pool).deviceRequest.createMany({
    data: {
      id: randomUUID(),
      deviceCodeHash: hashToken(deviceCode),
      userCodeHash: hashUserCode(code, runtime.secret),
      deviceName,
      address,
      peer,
      userAgent: userAgent?.slice(0, 300) ?? null,
      createdAt: now,
      expiresAt: new Date(now.getTime() + deviceCodeSeconds * 1000),
      intervalSeconds: firstIntervalSeconds,
      groups: [],
    },
    skipDuplicates: true,
  });
  // The chance that this code is in use is one in billions.
  if (stored.count === 0) throw new ServiceError("unavailable", "No free code was found; ask again.");
  await write(runtime.pool, deleteSurplus(now));
  return { deviceCode, userCode };
}

/** Deletes the oldest requests of the addresses with the most: no address can crowd out the others. */
function deleteSurplus(now: Date) {
  const surplus = tables
    .selectFrom((from) =>
      from
        .selectFrom("device_request")
        .select(["id", "created_at"])
        .select(({ fn }) =>
          fn
            .agg<number>("row_number")
            .over((over) => over.partitionBy("address").orderBy("created_at", "desc"))
            .as("place"),
        )
        .where("state", "=", "pending")
        .where("expires_at", ">", now)
        .as("waiting"),
    )
    .select("id")
    .orderBy("place")
    .orderBy("created_at", "desc")
    .offset(maxPending);
  return tables.deleteFrom("device_request").where("state", "=", "pending").where("id", "in", surplus);
}
