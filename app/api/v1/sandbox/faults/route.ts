import { endpoints } from "#lib/contract/endpoint-table.ts";
import { listSandboxFaults, playSandboxFault } from "#lib/server/admin/sandbox-faults.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";

export const GET = endpoint({ endpoint: endpoints.listSandboxFaults, handler: listSandboxFaults });
export const POST = endpoint({
  endpoint: endpoints.playSandboxFault,
  auditsRefusals: true,
  handler: playSandboxFault,
});
