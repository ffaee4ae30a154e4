import { endpoints } from "#lib/contract/endpoint-table.ts";
import { decideApproval } from "#lib/server/acting/approvals/approvals.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";

export const POST = endpoint({ endpoint: endpoints.decideApproval, handler: decideApproval });
