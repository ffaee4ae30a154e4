import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";
import { listRolloutReleases } from "#lib/server/pages/release/list-releases.ts";

export const GET = endpoint({ endpoint: endpoints.listRolloutReleases, handler: listRolloutReleases });
