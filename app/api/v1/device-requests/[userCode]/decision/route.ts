import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";
import { decideDeviceRequest } from "#lib/server/people/device/device-requests.ts";

export const POST = endpoint({ endpoint: endpoints.decideDeviceRequest, handler: decideDeviceRequest });
