import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";
import { getDeviceRequest } from "#lib/server/people/device/device-requests.ts";

export const GET = endpoint({ endpoint: endpoints.getDeviceRequest, handler: getDeviceRequest });
