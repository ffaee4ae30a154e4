import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";
import { planOnMany } from "#lib/server/pages/set/plan-on-many.ts";

export const POST = endpoint({ endpoint: endpoints.planOnMany, handler: planOnMany });
