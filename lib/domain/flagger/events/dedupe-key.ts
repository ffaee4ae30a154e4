/**
 * Returns a key that is the same for all deliveries of one event by the event webhook, which has no id. `name` is the
 * Canary's; `timestamp` as received.
 */
export function formatDedupeKey({
  cluster,
  namespace,
  name,
  message,
  timestamp,
}: {
  cluster: string;
  namespace: string;
  name: string;
  message: string;
  timestamp: string;
}): string {
  return JSON.stringify([cluster, namespace, name, message, timestamp]);
}
