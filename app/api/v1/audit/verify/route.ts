import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/http/endpoint.ts";
import { verifyAuditChain } from "#lib/server/services/acting/verify-audit-chain.ts";

export const GET = endpoint({
  endpoint: endpoints.verifyAudit,
  leavesEntry: true,
  handler: verifyAuditChain,
});
