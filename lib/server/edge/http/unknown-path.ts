import { randomUUID } from "node:crypto";
import { problemResponse } from "#lib/server/edge/http/problem-response.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { findWebRuntime } from "#lib/server/process/web-runtime.ts";

/** Answers paths below /api and /hooks without a route: a problem, never a page. */
export async function unknownPath(request: Request): Promise<Response> {
  const thrown = new ServiceError("not_found", `There is nothing at ${new URL(request.url).pathname}.`);
  return problemResponse({ thrown, requestId: randomUUID(), runtime: findWebRuntime() });
}
