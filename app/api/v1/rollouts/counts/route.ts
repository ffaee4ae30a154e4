import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";
import { countRollouts } from "#lib/server/pages/rollout/list-rollouts.ts";

export const GET = endpoint({ endpoint: endpoints.countRollouts, handler: countRollouts });
