import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";
import { getRelease } from "#lib/server/pages/release/get-release.ts";

export const GET = endpoint({ endpoint: endpoints.getRelease, handler: getRelease });
