import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/http/endpoint.ts";
import { listMeasurements } from "#lib/server/services/analysis-runs/list-measurements.ts";

export const GET = endpoint({ endpoint: endpoints.listMeasurements, handler: listMeasurements });
