import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";
import {
  acknowledgeFinding,
  withdrawFindingAcknowledgement,
} from "#lib/server/oversight/findings/acknowledge-finding.ts";

export const POST = endpoint({ endpoint: endpoints.acknowledgeFinding, handler: acknowledgeFinding });
export const DELETE = endpoint({ endpoint: endpoints.withdrawFinding, handler: withdrawFindingAcknowledgement });
