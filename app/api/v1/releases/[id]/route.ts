import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/http/endpoint.ts";
import { getRelease } from "#lib/server/services/releases/get-release.ts";

export const GET = endpoint({ endpoint: endpoints.getRelease, handler: getRelease });
