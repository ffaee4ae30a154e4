import { randomUUID } from "node:crypto";
import { Role } from "#lib/contract/common.ts";
import { appendAudit } from "#lib/server/audit/append-audit.ts";
import { createTokenSecret, hashToken } from "#lib/server/people/auth/token-secret.ts";
import { assertWithinLimit, insertToken } from "#lib/server/people/tokens/token-row.ts";
import { isServiceError, ServiceError } from "#lib/server/platform/actor/service-error.ts";
import type { Prisma } from "#lib/server/platform/db/generated/client.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import type { WebRuntime } from "#lib/server/process/web-runtime.ts";

/** An answer of RFC 8628, section 3.5, or of RFC 6749, section 5.2. */
export type DeviceAnswer =
  | { token: string; expiresInSeconds: number }
  | { error: "authorization_pending" | "slow_down" | "access_denied" | "expired_token" | "invalid_grant"; why: string };

type Asked = Prisma.DeviceRequestGetPayload<{ include: { owner: true } }>;

const backOffSeconds = 5;
const longestIntervalSeconds = 60;
/** A terminal's clock and the network are not exact. */
const toleranceMs = 500;
const secondsOfDay = 86_400;

/** Answers a terminal that polls. Of an approved request, the first answer holds the token; there is no second one. */
export async function redeemDeviceCode({
  runtime,
  deviceCode,
  requestId,
}: {
  runtime: WebRuntime;
  deviceCode: string;
  requestId: string;
}): Promise<DeviceAnswer> {
  const now = runtime.now();
  const asked = await prismaOn(runtime.pool).deviceRequest.findFirst({
    where: { deviceCodeHash: hashToken(deviceCode) },
    include: { owner: true },
  });
  if (asked === null || asked.state === "redeemed")
    return { error: "invalid_grant", why: "This device code is unknown, or has been used." };
  if (asked.state === "refused") return { error: "access_denied", why: "The request was refused." };
  if (asked.expiresAt <= now) return { error: "expired_token", why: "The code has expired; ask for a new one." };
  if (!(await takePoll(runtime, asked, now)))
    return { error: "slow_down", why: `Wait ${backOffSeconds} seconds longer between requests from now on.` };
  if (asked.state !== "approved") return { error: "authorization_pending", why: "The request is not approved yet." };
  try {
    return await createDeviceToken({ runtime, asked, requestId });
  } catch (error) {
    if (!isServiceError(error) || error.code !== "conflict") throw error;
    return { error: "access_denied", why: error.message };
  }
}

/** Counts a poll. Returns false if it comes too early; the terminal then has to wait longer from now on. */
async function takePoll({ pool }: WebRuntime, { id, intervalSeconds }: Asked, now: Date): Promise<boolean> {
  const latest = new Date(now.getTime() - intervalSeconds * 1000 + toleranceMs);
  const { count } = await prismaOn(pool).deviceRequest.updateMany({
    where: { id, OR: [{ polledAt: null }, { polledAt: { lte: latest } }] },
    data: { polledAt: now },
  });
  if (count > 0) return true;
  const longer = Math.min(longestIntervalSeconds, intervalSeconds + backOffSeconds);
  await prismaOn(pool).deviceRequest.updateMany({ where: { id }, data: { polledAt: now, intervalSeconds: longer } });
  return false;
}

async function createDeviceToken({
  runtime,
  asked: { id, deviceName, owner, username, groups, role: stored, expiresInDays },
  requestId,
}: {
  runtime: WebRuntime;
  asked: Asked;
  requestId: string;
}): Promise<DeviceAnswer> {
  const role = Role.parse(stored);
  if (owner === null || username === null || expiresInDays === null)
    throw new Error("an approved request has no owner");
  const [token, tokenId] = [createTokenSecret(), randomUUID()];
  await appendAudit({
    pool: runtime.pool,
    entry: {
      actor: { type: "user", issuer: owner.issuer, subject: owner.subject, name: owner.name },
      source: "gatehouse",
      code: "token.create",
      outcome: "applied",
      detail: { id: tokenId, name: deviceName, role, expiresInDays, restricted: false, request: id },
      requestId,
    },
    within: async (client) => {
      const redeemed = await prismaOn(client).deviceRequest.updateMany({
        where: { id, state: "approved" },
        data: { state: "redeemed" },
      });
      if (redeemed.count === 0) throw new ServiceError("conflict", "The code has been used.");
      const [ownerId, restricted] = [owner.id, false];
      const draft = { id: tokenId, secret: token, name: deviceName, role, ownerId, username, groups, restricted };
      await insertToken(client, { ...draft, expiresInDays });
      // The chain is locked: of two concurrent creations, the second counts the first.
      await assertWithinLimit(client, { ownerId });
    },
  });
  return { token, expiresInSeconds: expiresInDays * secondsOfDay };
}
