import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/http/endpoint.ts";
import { listReleases } from "#lib/server/services/releases/list-releases.ts";

export const GET = endpoint({ endpoint: endpoints.listReleases, handler: listReleases });
