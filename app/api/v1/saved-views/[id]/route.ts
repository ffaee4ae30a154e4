import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";
import { changeSavedView } from "#lib/server/people/saved-views/change-saved-view.ts";
import { deleteSavedView } from "#lib/server/people/saved-views/delete-saved-view.ts";

export const POST = endpoint({ endpoint: endpoints.changeSavedView, handler: changeSavedView });
export const DELETE = endpoint({ endpoint: endpoints.deleteSavedView, handler: deleteSavedView });
