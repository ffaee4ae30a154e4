import { endpoints } from "#lib/contract/endpoint-table.ts";
import { requestApproval } from "#lib/server/acting/act/request-approval.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";

export const POST = endpoint({ endpoint: endpoints.requestApproval, handler: requestApproval });
