import { randomUUID } from "node:crypto";
import { clientAddress } from "#lib/server/http/client-address.ts";
import { problemResponse } from "#lib/server/http/problem-response.ts";
import { countHook } from "#lib/server/http/request-limits.ts";
import { unknownPath } from "#lib/server/http/unknown-path.ts";
import { findWebRuntime, getWebRuntime } from "#lib/server/process/web-runtime.ts";

export type HookHandler = (request: Request) => Promise<Response>;

/**
 * Guards everything below /hooks: counts by address before the body is read, so that a caller without a secret costs
 * nothing. No hooks exist yet, so every path is unknown.
 */
export function answerHook(handler: HookHandler = unknownPath): HookHandler {
  return async (request) => {
    try {
      countHook(getWebRuntime(), clientAddress(request.headers));
      return await handler(request);
    } catch (thrown) {
      return problemResponse({ thrown, requestId: randomUUID(), runtime: findWebRuntime() });
    }
  };
}
