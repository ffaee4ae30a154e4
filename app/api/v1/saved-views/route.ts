import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";
import { createSavedView, listSavedViews } from "#lib/server/people/saved-views/saved-views.ts";

export const GET = endpoint({ endpoint: endpoints.listSavedViews, handler: listSavedViews });
export const POST = endpoint({ endpoint: endpoints.createSavedView, handler: createSavedView });
