import { randomUUID } from "node:crypto";
import { linkTo } from "#lib/domain/notify/notifiable-event.ts";
import { clientAddress, peerAddress } from "#lib/server/edge/http/client-address.ts";
import { readLimitedText } from "#lib/server/edge/http/parse-input.ts";
import { refusalOf } from "#lib/server/edge/http/problem-response.ts";
import { countSignInRequest } from "#lib/server/edge/http/request-limits.ts";
import {
  askDeviceSignIn,
  deviceCodeSeconds,
  firstIntervalSeconds,
} from "#lib/server/people/device/ask-device-sign-in.ts";
import { redeemDeviceCode } from "#lib/server/people/device/redeem-device-code.ts";
import { assertSchemaReady } from "#lib/server/process/assert-schema-ready.ts";
import { findWebRuntime, getWebRuntime, type WebRuntime } from "#lib/server/process/web-runtime.ts";
import { cleanName } from "#lib/util/text.ts";

/** The only client; it has no secret. */
export const deviceClientId = "gatehouse-cli";
const grantType = "urn:ietf:params:oauth:grant-type:device_code";

type Call = { runtime: WebRuntime; form: URLSearchParams; request: Request; requestId: string };

/**
 * Answers `POST /api/auth/device/code` as RFC 8628, section 3.2, specifies. `device_name` is our own parameter: the
 * name shown to the person who approves.
 */
export function handleDeviceCode(request: Request): Promise<Response> {
  return answer(request, async ({ runtime, form }) => {
    const deviceName = form.get("device_name")?.trim() ?? "";
    if (cleanName(deviceName) !== deviceName)
      return refuse("invalid_request", "device_name must be one line of 1 to 100 visible characters.");
    const { deviceCode, userCode } = await askDeviceSignIn({
      runtime,
      deviceName,
      address: clientAddress(request.headers),
      peer: peerAddress(request.headers),
      userAgent: request.headers.get("user-agent") ?? undefined,
    });
    const page = linkTo(runtime.config().config.publicUrl, "/device");
    return respond(200, {
      device_code: deviceCode,
      user_code: userCode,
      verification_uri: page,
      verification_uri_complete: `${page}?user_code=${userCode}`,
      expires_in: deviceCodeSeconds,
      interval: firstIntervalSeconds,
    });
  });
}

/** Answers `POST /api/auth/device/token` as RFC 8628, section 3.5, specifies. The access token is an API token. */
export function handleDeviceToken(request: Request): Promise<Response> {
  return answer(request, async ({ runtime, form, requestId }) => {
    if (form.get("grant_type") !== grantType)
      return refuse("unsupported_grant_type", `grant_type must be ${grantType}.`);
    const deviceCode = form.get("device_code") ?? "";
    if (deviceCode === "") return refuse("invalid_request", "device_code is missing.");
    const answered = await redeemDeviceCode({ runtime, deviceCode, requestId });
    if ("error" in answered) return refuse(answered.error, answered.why);
    return respond(200, {
      access_token: answered.token,
      token_type: "Bearer",
      expires_in: answered.expiresInSeconds,
    });
  });
}

/** Neither endpoint reads a cookie: whoever holds the device code gets the answer, so a foreign page gains nothing. */
async function answer(request: Request, handle: (call: Call) => Promise<Response>): Promise<Response> {
  const requestId = randomUUID();
  try {
    const runtime = getWebRuntime();
    // Runs before any lookup: the caller is not known yet.
    countSignInRequest(runtime, clientAddress(request.headers));
    await assertSchemaReady(runtime);
    const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
    if (type !== "application/x-www-form-urlencoded")
      return refuse("invalid_request", "Send a form (application/x-www-form-urlencoded).");
    const form = new URLSearchParams(await readLimitedText(request));
    if (form.get("client_id") !== deviceClientId)
      return refuse("invalid_client", `client_id must be ${deviceClientId}.`);
    return await handle({ runtime, form, request, requestId });
  } catch (thrown) {
    return fail(thrown, requestId);
  }
}

/** RFC 6749 has an error code for a server that cannot answer, but none for too many requests. */
function fail(thrown: unknown, requestId: string): Response {
  const error = refusalOf({ thrown, requestId, runtime: findWebRuntime() });
  if (error.code === "internal")
    return respond(500, { error: "server_error", error_description: `A defect of Gatehouse; request ${requestId}.` });
  if (error.code === "payload_too_large") return refuse("invalid_request", error.message);
  const { retryAfterSeconds } = error.extra;
  const status = error.code === "rate_limited" ? 429 : 503;
  const headers: Record<string, string> =
    retryAfterSeconds === undefined ? {} : { "retry-after": String(retryAfterSeconds) };
  return respond(status, { error: "temporarily_unavailable", error_description: error.message }, headers);
}

function refuse(error: string, description: string): Response {
  return respond(400, { error, error_description: description });
}

function respond(status: number, body: object, headers: Record<string, string> = {}): Response {
  return Response.json(body, { status, headers: { "cache-control": "no-store", pragma: "no-cache", ...headers } });
}
