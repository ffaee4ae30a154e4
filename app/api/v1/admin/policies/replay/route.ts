import { endpoints } from "#lib/contract/endpoint-table.ts";
import { replayPolicies } from "#lib/server/admin/replay-policies.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";

export const POST = endpoint({ endpoint: endpoints.replayPolicies, handler: replayPolicies });
