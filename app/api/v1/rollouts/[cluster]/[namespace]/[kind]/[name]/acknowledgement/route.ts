import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";
import { acknowledge } from "#lib/server/oversight/findings/acknowledge.ts";
import { withdrawAcknowledgement } from "#lib/server/pages/inbox/withdraw-acknowledgement.ts";

export const POST = endpoint({ endpoint: endpoints.acknowledge, handler: acknowledge });
export const DELETE = endpoint({ endpoint: endpoints.withdrawAcknowledgement, handler: withdrawAcknowledgement });
