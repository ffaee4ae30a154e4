import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";
import { listEarlierSeries } from "#lib/server/pages/run/list-earlier-series.ts";

export const GET = endpoint({ endpoint: endpoints.listEarlierSeries, handler: listEarlierSeries });
