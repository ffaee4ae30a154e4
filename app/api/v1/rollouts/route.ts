import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/http/endpoint.ts";
import { listRollouts } from "#lib/server/services/rollouts/list-rollouts.ts";

export const GET = endpoint({ endpoint: endpoints.listRollouts, handler: listRollouts });
