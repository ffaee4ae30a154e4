import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";
import { listRolloutPods } from "#lib/server/pages/rollout/list-cluster-objects.ts";

export const GET = endpoint({ endpoint: endpoints.listRolloutPods, handler: listRolloutPods });
