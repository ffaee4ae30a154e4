import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";
import { getVersionDifferences } from "#lib/server/pages/set/version-differences.ts";

export const GET = endpoint({ endpoint: endpoints.getVersionDifferences, handler: getVersionDifferences });
