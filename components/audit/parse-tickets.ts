import { isRecord } from "#lib/util/json.ts";

/** Parses the tickets of an entry: each in a few words, with the answer of the system that was asked. */
export function parseTickets(tickets: unknown): string[] {
  return Array.isArray(tickets) ? tickets.flatMap((ticket) => describeTicket(ticket) ?? []) : [];
}

function describeTicket(value: unknown): string | undefined {
  if (!isRecord(value) || typeof value.ticket !== "string") return undefined;
  const { ticket, answer } = value;
  if (!isRecord(answer)) return ticket;
  const { allow, message } = answer;
  const verdict = allow === true ? "allowed" : allow === false ? "not allowed" : "no usable answer";
  return `${ticket}: ${verdict}${typeof message === "string" && message !== "" ? ` (${message})` : ""}`;
}
