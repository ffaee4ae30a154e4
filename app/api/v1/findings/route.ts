import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/http/endpoint.ts";
import { listFindings } from "#lib/server/services/findings/list-findings.ts";

export const GET = endpoint({ endpoint: endpoints.listFindings, handler: listFindings });
