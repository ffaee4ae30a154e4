import { endpoints } from "#lib/contract/endpoint-table.ts";
import { planRolloutAction } from "#lib/server/acting/act/plan-action-preview.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";

export const POST = endpoint({ endpoint: endpoints.planRolloutAction, handler: planRolloutAction });
