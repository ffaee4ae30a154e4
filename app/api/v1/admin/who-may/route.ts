import { endpoints } from "#lib/contract/endpoint-table.ts";
import { whoMay } from "#lib/server/admin/who-may.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";

export const GET = endpoint({ endpoint: endpoints.whoMay, handler: whoMay });
