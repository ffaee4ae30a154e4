import { createOpenApiDocument } from "#lib/contract/openapi.ts";
import { getWebRuntime } from "#lib/server/process/web-runtime.ts";
import { basePathOf } from "#lib/util/base-path.ts";

/** Serves the OpenAPI document; public, like the code that it describes. */
export function GET(): Response {
  const basePath = basePathOf(getWebRuntime().config().config.publicUrl);
  return Response.json(createOpenApiDocument(basePath), { headers: { "cache-control": "no-store" } });
}

export const dynamic = "force-dynamic";
