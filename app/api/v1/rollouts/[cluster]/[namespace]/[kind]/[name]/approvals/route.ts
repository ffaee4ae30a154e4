import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/http/endpoint.ts";
import { requestApproval } from "#lib/server/services/approvals/request-approval.ts";

export const POST = endpoint({ endpoint: endpoints.requestApproval, handler: requestApproval });
