import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";
import { verifyAuditChain } from "#lib/server/pages/audit/verify-audit-chain.ts";

export const GET = endpoint({
  endpoint: endpoints.verifyAudit,
  leavesEntry: true,
  handler: verifyAuditChain,
});
