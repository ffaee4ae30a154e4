import { handleDeviceToken } from "#lib/server/edge/http/handle-device.ts";

export const POST = handleDeviceToken;
