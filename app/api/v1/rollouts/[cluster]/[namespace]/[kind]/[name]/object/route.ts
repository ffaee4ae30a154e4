import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/http/endpoint.ts";
import { getRolloutObject } from "#lib/server/services/rollouts/get-rollout-object.ts";

export const GET = endpoint({ endpoint: endpoints.getRolloutObject, handler: getRolloutObject });
