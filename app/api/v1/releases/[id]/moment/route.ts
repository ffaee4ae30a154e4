import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";
import { getReleaseMoment } from "#lib/server/pages/release/get-release-moment.ts";

export const GET = endpoint({ endpoint: endpoints.getReleaseMoment, handler: getReleaseMoment });
