import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";
import { listRolloutEvents } from "#lib/server/pages/rollout/list-rollout-events.ts";

export const GET = endpoint({ endpoint: endpoints.listRolloutEvents, handler: listRolloutEvents });
