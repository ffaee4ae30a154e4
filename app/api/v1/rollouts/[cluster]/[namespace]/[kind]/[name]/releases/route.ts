import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/http/endpoint.ts";
import { listRolloutReleases } from "#lib/server/services/rollouts/list-rollout-releases.ts";

export const GET = endpoint({ endpoint: endpoints.listRolloutReleases, handler: listRolloutReleases });
