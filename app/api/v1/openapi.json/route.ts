import { createOpenApiDocument } from "#lib/contract/openapi.ts";

/** Serves the OpenAPI document; public, like the code that it describes. */
export function GET(): Response {
  return Response.json(createOpenApiDocument(), { headers: { "cache-control": "no-store" } });
}

export const dynamic = "force-dynamic";
