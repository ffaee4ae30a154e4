import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";
import { claimWait, releaseClaim } from "#lib/server/pages/inbox/claim.ts";

export const POST = endpoint({ endpoint: endpoints.claim, handler: claimWait });
export const DELETE = endpoint({ endpoint: endpoints.releaseClaim, handler: releaseClaim });
