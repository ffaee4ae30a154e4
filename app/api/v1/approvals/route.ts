import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/http/endpoint.ts";
import { listApprovals } from "#lib/server/services/approvals/list-approvals.ts";

export const GET = endpoint({ endpoint: endpoints.listApprovals, handler: listApprovals });
