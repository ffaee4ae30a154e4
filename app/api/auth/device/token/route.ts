import { handleDeviceToken } from "#lib/server/http/handle-device.ts";

export const POST = handleDeviceToken;
