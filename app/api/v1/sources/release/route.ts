import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/http/endpoint.ts";
import { releaseHeld } from "#lib/server/services/sources/release-held.ts";

export const POST = endpoint({ endpoint: endpoints.releaseHeld, auditsRefusals: true, handler: releaseHeld });
