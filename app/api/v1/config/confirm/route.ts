import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/http/endpoint.ts";
import { confirmConfig } from "#lib/server/services/config/confirm-config.ts";

export const POST = endpoint({ endpoint: endpoints.confirmConfig, auditsRefusals: true, handler: confirmConfig });
