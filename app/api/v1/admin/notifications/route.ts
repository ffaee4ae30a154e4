import { endpoints } from "#lib/contract/endpoint-table.ts";
import { getNotificationSetting, setNotificationSetting } from "#lib/server/admin/notification-setting.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";

export const GET = endpoint({ endpoint: endpoints.getNotificationSetting, handler: getNotificationSetting });
export const POST = endpoint({ endpoint: endpoints.setNotificationSetting, handler: setNotificationSetting });
