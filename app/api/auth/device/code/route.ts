import { handleDeviceCode } from "#lib/server/http/handle-device.ts";

export const POST = handleDeviceCode;
