import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/http/endpoint.ts";
import { listClusters } from "#lib/server/services/sources/list-clusters.ts";

export const GET = endpoint({ endpoint: endpoints.listClusters, handler: listClusters });
