import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";
import { listRolloutTimeline } from "#lib/server/pages/rollout/list-rollout-timeline.ts";

export const GET = endpoint({ endpoint: endpoints.listRolloutTimeline, handler: listRolloutTimeline });
