import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/http/endpoint.ts";
import { getFinding } from "#lib/server/services/findings/get-finding.ts";

export const GET = endpoint({ endpoint: endpoints.getFinding, handler: getFinding });
