import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/http/endpoint.ts";
import { listEarlierSeries } from "#lib/server/services/analysis-runs/list-earlier-series.ts";

export const GET = endpoint({ endpoint: endpoints.listEarlierSeries, handler: listEarlierSeries });
