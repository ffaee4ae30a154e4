import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/http/endpoint.ts";
import { listAudit } from "#lib/server/services/acting/list-audit.ts";

export const GET = endpoint({ endpoint: endpoints.listAudit, handler: listAudit });
