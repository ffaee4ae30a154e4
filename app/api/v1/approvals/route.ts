import { endpoints } from "#lib/contract/endpoint-table.ts";
import { listApprovals } from "#lib/server/acting/approvals/approvals.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";

export const GET = endpoint({ endpoint: endpoints.listApprovals, handler: listApprovals });
