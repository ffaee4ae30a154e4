import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";
import { getAuditEntry } from "#lib/server/pages/audit/get-audit-entry.ts";

export const GET = endpoint({ endpoint: endpoints.getAuditEntry, handler: getAuditEntry });
