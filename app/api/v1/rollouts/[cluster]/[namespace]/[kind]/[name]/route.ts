import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";
import { getRollout } from "#lib/server/pages/rollout/get-rollout.ts";

export const GET = endpoint({ endpoint: endpoints.getRollout, handler: getRollout });
