import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";
import { getRolloutObject } from "#lib/server/pages/rollout/get-rollout-object.ts";

export const GET = endpoint({ endpoint: endpoints.getRolloutObject, handler: getRolloutObject });
