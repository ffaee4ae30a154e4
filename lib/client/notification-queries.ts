import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useItemList } from "#lib/client/list-queries.ts";
import { type Filters, queryKeys } from "#lib/client/query-keys.ts";
import { request } from "#lib/client/request.ts";
import type { NotificationChannels, NotificationItem } from "#lib/contract/notification.ts";

const path = "/api/v1/notifications";
const channelsPath = "/api/v1/notification-channels";
/** Change events tell of new events, not of how their messages fare. */
const refetchEveryMs = 5_000;

export function useNotifications(filters: Filters) {
  return useItemList<NotificationItem>({
    queryKey: queryKeys.notificationList(filters),
    path,
    filters,
    refetchEveryMs,
  });
}

export function useNotificationChannels() {
  return useQuery({
    queryKey: queryKeys.notificationChannels(),
    queryFn: ({ signal }) => request<NotificationChannels>({ path: channelsPath, signal }),
    refetchInterval: refetchEveryMs,
  });
}

export function useSendTest() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (channel: string) =>
      request<NotificationItem>({ method: "POST", path: `${channelsPath}/${encodeURIComponent(channel)}/test` }),
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.notifications() }),
  });
}

export function useRetryNotification() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) =>
      request<NotificationItem>({ method: "POST", path: `${path}/${encodeURIComponent(id)}/retry` }),
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.notifications() }),
  });
}
