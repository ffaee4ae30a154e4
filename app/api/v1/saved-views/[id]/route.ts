import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";
import { changeSavedView, deleteSavedView } from "#lib/server/people/saved-views/saved-views.ts";

export const POST = endpoint({ endpoint: endpoints.changeSavedView, handler: changeSavedView });
export const DELETE = endpoint({ endpoint: endpoints.deleteSavedView, handler: deleteSavedView });
