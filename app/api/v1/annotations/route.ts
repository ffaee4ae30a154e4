import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";
import { listAnnotations } from "#lib/server/pages/monitoring/list-annotations.ts";

export const GET = endpoint({ endpoint: endpoints.listAnnotations, handler: listAnnotations });
