import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/http/endpoint.ts";
import { acknowledge } from "#lib/server/services/inbox/acknowledge.ts";
import { withdrawAcknowledgement } from "#lib/server/services/inbox/withdraw-acknowledgement.ts";

export const POST = endpoint({ endpoint: endpoints.acknowledge, handler: acknowledge });
export const DELETE = endpoint({ endpoint: endpoints.withdrawAcknowledgement, handler: withdrawAcknowledgement });
