import type { AllowedAction } from "#lib/contract/rollout.ts";
import { findTicket, makeSampleTicket } from "#lib/domain/policy/ticket-pattern.ts";
import { formatList } from "#lib/util/words.ts";

export type TicketNeeds = NonNullable<AllowedAction["needs"]["tickets"]>;

/** Returns the tickets that any of several actions needs, each rule once. */
export function mergeTickets(needs: readonly AllowedAction["needs"][]): TicketNeeds {
  const tickets = needs.flatMap((each) => each.tickets ?? []);
  return [...new Map(tickets.map((ticket) => [ticket.rule, ticket])).values()];
}

/** Says which tickets the reason still has to name; undefined if it names all. */
export function describeMissingTickets(tickets: TicketNeeds, reason: string): string | undefined {
  const missing = tickets.filter(({ pattern }) => findTicket(pattern, reason) === undefined);
  if (missing.length === 0) return undefined;
  return `Name a ticket such as ${formatList(missing.map(({ pattern }) => makeSampleTicket(pattern)))}.`;
}

/** Describes the tickets that a reason names or has to name, and when another system decides about them, if one does. */
export function describeTickets(tickets: TicketNeeds, reason: string, { isLater = false } = {}): string {
  const named = formatList(tickets.flatMap(({ pattern }) => findTicket(pattern, reason) ?? []));
  const state = describeMissingTickets(tickets, reason) ?? `Ticket ${named}.`;
  const at = isLater ? "at the scheduled time" : "when you confirm";
  return tickets.some(({ checked }) => checked) ? `${state} It is checked ${at}.` : state;
}
