import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/http/endpoint.ts";
import { planRolloutAction } from "#lib/server/services/acting/plan-action-preview.ts";

export const POST = endpoint({ endpoint: endpoints.planRolloutAction, handler: planRolloutAction });
