import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/http/endpoint.ts";
import { getDeviceRequest } from "#lib/server/services/device-sign-in/find-device-request.ts";

export const GET = endpoint({ endpoint: endpoints.getDeviceRequest, handler: getDeviceRequest });
