import type { NotificationRoute } from "#lib/domain/notify/route-event.ts";
import type { NotificationConfig } from "#lib/server/platform/config/notification-schema.ts";

/** Returns the routes of the config as the rules take them. */
export function routesOf({ routes }: Pick<NotificationConfig, "routes">): NotificationRoute[] {
  return routes.map(({ clusters, namespaces, rollouts, ...route }) => ({
    ...route,
    scope: { clusters, namespaces, rollouts },
  }));
}
