import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";
import { listAudit } from "#lib/server/pages/audit/list-audit.ts";

export const GET = endpoint({ endpoint: endpoints.listAudit, handler: listAudit });
