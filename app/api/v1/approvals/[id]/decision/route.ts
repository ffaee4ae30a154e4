import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/http/endpoint.ts";
import { decideApproval } from "#lib/server/services/approvals/decide-approval.ts";

export const POST = endpoint({ endpoint: endpoints.decideApproval, handler: decideApproval });
