import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";
import { decideDeviceRequest } from "#lib/server/people/device/decide-device-request.ts";

export const POST = endpoint({ endpoint: endpoints.decideDeviceRequest, handler: decideDeviceRequest });
