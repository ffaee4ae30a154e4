import { randomUUID } from "node:crypto";
import { ServiceError } from "#lib/server/actor/service-error.ts";
import { problemResponse } from "#lib/server/http/problem-response.ts";
import { findWebRuntime } from "#lib/server/process/web-runtime.ts";

/** The answer below /api and /hooks where no route is: a problem, never a page. */
export async function unknownPath(request: Request): Promise<Response> {
  const thrown = new ServiceError("not_found", `There is nothing at ${new URL(request.url).pathname}.`);
  return problemResponse({ thrown, requestId: randomUUID(), runtime: findWebRuntime() });
}
