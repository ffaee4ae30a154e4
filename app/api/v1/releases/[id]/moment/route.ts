import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/http/endpoint.ts";
import { getReleaseMoment } from "#lib/server/services/releases/get-release-moment.ts";

export const GET = endpoint({ endpoint: endpoints.getReleaseMoment, handler: getReleaseMoment });
