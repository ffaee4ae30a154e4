import type { ChannelConfig, NotificationConfig, WebhookChannelConfig } from "./notification-schema.ts";
import type { PolicyConfig, TicketCheck } from "./policy-schema.ts";

/** Returns the channel to the system that decides about the tickets of a rule. No other channel has a colon in its name. */
export function ticketChannelOf(
  rule: string,
  { url, signingSecret, token, caFile }: Omit<TicketCheck, "timeoutMs">,
): WebhookChannelConfig {
  return { name: nameTicketChannel(rule), type: "webhook", url, signingSecret, token, caFile };
}

export function nameTicketChannel(rule: string): string {
  return `ticket:${rule}`;
}

/** Returns every channel that messages are sent to: those that are notified, and the systems that decide about tickets. */
export function listSendingChannels({
  notifications,
  policies,
}: {
  notifications: Pick<NotificationConfig, "channels">;
  policies: Pick<PolicyConfig, "reasons">;
}): ChannelConfig[] {
  const tickets = policies.reasons.flatMap(({ ticket }) =>
    ticket?.check === undefined ? [] : [ticketChannelOf(ticket.name, ticket.check)],
  );
  return [...notifications.channels, ...tickets];
}
