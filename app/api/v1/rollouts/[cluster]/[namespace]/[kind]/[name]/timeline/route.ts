import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/http/endpoint.ts";
import { listRolloutTimeline } from "#lib/server/services/rollouts/list-rollout-timeline.ts";

export const GET = endpoint({ endpoint: endpoints.listRolloutTimeline, handler: listRolloutTimeline });
