import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/http/endpoint.ts";
import { listSandboxFaults, playSandboxFault } from "#lib/server/services/sandbox/sandbox-faults.ts";

export const GET = endpoint({ endpoint: endpoints.listSandboxFaults, handler: listSandboxFaults });
export const POST = endpoint({
  endpoint: endpoints.playSandboxFault,
  auditsRefusals: true,
  handler: playSandboxFault,
});
