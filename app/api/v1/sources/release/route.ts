import { endpoints } from "#lib/contract/endpoint-table.ts";
import { releaseHeld } from "#lib/server/admin/held-objects.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";

export const POST = endpoint({ endpoint: endpoints.releaseHeld, auditsRefusals: true, handler: releaseHeld });
