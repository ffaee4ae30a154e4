import { handleDeviceCode } from "#lib/server/edge/http/handle-device.ts";

export const POST = handleDeviceCode;
