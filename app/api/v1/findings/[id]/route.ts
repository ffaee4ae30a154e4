import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";
import { getFinding } from "#lib/server/oversight/findings/get-findings.ts";

export const GET = endpoint({ endpoint: endpoints.getFinding, handler: getFinding });
