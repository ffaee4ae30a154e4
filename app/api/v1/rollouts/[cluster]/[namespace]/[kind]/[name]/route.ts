import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/http/endpoint.ts";
import { getRollout } from "#lib/server/services/rollouts/get-rollout.ts";

export const GET = endpoint({ endpoint: endpoints.getRollout, handler: getRollout });
