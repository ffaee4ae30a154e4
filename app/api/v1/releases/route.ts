import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";
import { listReleases } from "#lib/server/pages/release/list-releases.ts";

export const GET = endpoint({ endpoint: endpoints.listReleases, handler: listReleases });
