import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/http/endpoint.ts";
import { decideDeviceRequest } from "#lib/server/services/device-sign-in/decide-device-request.ts";

export const POST = endpoint({ endpoint: endpoints.decideDeviceRequest, handler: decideDeviceRequest });
