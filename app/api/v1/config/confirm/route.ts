import { endpoints } from "#lib/contract/endpoint-table.ts";
import { confirmConfig } from "#lib/server/admin/confirm-config.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";

export const POST = endpoint({ endpoint: endpoints.confirmConfig, auditsRefusals: true, handler: confirmConfig });
