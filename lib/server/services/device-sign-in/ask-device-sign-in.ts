import { randomUUID } from "node:crypto";
import { ServiceError } from "#lib/server/actor/service-error.ts";
import { appendAudit } from "#lib/server/audit/append-audit.ts";
import { createDeviceCode, createUserCode, hashUserCode, parseUserCode } from "#lib/server/auth/device-codes.ts";
import { hashToken } from "#lib/server/auth/token-secret.ts";
import { write } from "#lib/server/db/run-query.ts";
import { tables } from "#lib/server/db/tables.ts";
import type { WebRuntime } from "#lib/server/process/web-runtime.ts";
import { takeDeviceAsk } from "#lib/server/services/device-sign-in/device-limits.ts";

export const deviceCodeSeconds = 600;
export const firstIntervalSeconds = 5;
const keptMs = 24 * 3_600_000;

export type AskedDevice = { deviceCode: string; userCode: string };

/**
 * Lets a terminal ask to be signed in, before anybody is known. Throws `rate_limited`, and `audit_unavailable` if the
 * request cannot be audited. Deletes requests that ended a day ago.
 */
export async function askDeviceSignIn({
  runtime,
  deviceName,
  address,
  userAgent,
  requestId,
}: {
  runtime: WebRuntime;
  deviceName: string;
  address: string;
  userAgent: string | undefined;
  requestId: string;
}): Promise<AskedDevice> {
  const now = runtime.now();
  takeDeviceAsk({ runtime, address, now });
  const [deviceCode, userCode, id] = [createDeviceCode(), createUserCode(), randomUUID()];
  const code = parseUserCode(userCode);
  if (code === undefined) throw new Error("a new user code cannot be read");
  await runtime.db.deviceRequest.deleteMany({ where: { expiresAt: { lt: new Date(now.getTime() - keptMs) } } });
  const values = {
    id,
    device_code_hash: hashToken(deviceCode),
    user_code_hash: hashUserCode(code, runtime.secret),
    device_name: deviceName,
    address,
    user_agent: userAgent?.slice(0, 300) ?? null,
    created_at: now,
    expires_at: new Date(now.getTime() + deviceCodeSeconds * 1000),
    interval_seconds: firstIntervalSeconds,
    groups: [],
  };
  await appendAudit({
    pool: runtime.pool,
    entry: {
      actor: { type: "unknown", name: "unknown" },
      source: "gatehouse",
      code: "device.ask",
      outcome: "applied",
      detail: { request: id, device: deviceName, address },
      requestId,
    },
    within: async (client) => {
      const stored = await write(
        client,
        tables
          .insertInto("device_request")
          .values(values)
          .onConflict((on) => on.doNothing()),
      );
      // One chance in billions that somebody has this code now.
      if (stored === 0) throw new ServiceError("unavailable", "No free code was found; ask again.");
    },
  });
  return { deviceCode, userCode };
}
