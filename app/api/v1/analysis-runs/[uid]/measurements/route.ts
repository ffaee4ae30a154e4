import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";
import { listMeasurements } from "#lib/server/pages/run/list-measurements.ts";

export const GET = endpoint({ endpoint: endpoints.listMeasurements, handler: listMeasurements });
