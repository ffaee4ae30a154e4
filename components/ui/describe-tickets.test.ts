import { describe, expect, it } from "vitest";
import { describeMissingTickets, describeTickets, mergeTickets, type TicketNeeds } from "./describe-tickets.ts";

const change = { rule: "change", pattern: "CHG\\d+", checked: false };
const incident = { rule: "incident", pattern: "INC-\\d+", checked: true };

describe("describeTickets", () => {
  it.each<{ tickets: TicketNeeds; reason: string; says: string }>([
    { tickets: [change], reason: "", says: "Name a ticket such as CHG1234." },
    { tickets: [change], reason: "for CHG7: fine", says: "Ticket CHG7." },
    { tickets: [incident], reason: "x", says: "Name a ticket such as INC-1234. It is checked when you confirm." },
    { tickets: [incident], reason: "INC-7", says: "Ticket INC-7. It is checked when you confirm." },
    {
      tickets: [change, incident],
      reason: "CHG7",
      says: "Name a ticket such as INC-1234. It is checked when you confirm.",
    },
  ])("says of $reason: $says", ({ tickets, reason, says }) => {
    expect(describeTickets(tickets, reason)).toBe(says);
  });

  it("says that the ticket of a scheduled action is checked at its time", () => {
    expect(describeTickets([incident], "INC-7", { isLater: true })).toBe(
      "Ticket INC-7. It is checked at the scheduled time.",
    );
    expect(describeTickets([change], "CHG7", { isLater: true })).toBe("Ticket CHG7.");
  });
});

it("names every missing ticket, and nothing if there is none", () => {
  expect(describeMissingTickets([change, incident], "x")).toBe("Name a ticket such as CHG1234 and INC-1234.");
  expect(describeMissingTickets([change, incident], "CHG1 INC-1")).toBeUndefined();
  expect(describeMissingTickets([], "")).toBeUndefined();
});

it("takes the rules of several rollouts once", () => {
  const free = { reason: true, secondPerson: null, freeze: null, breakGlass: false };
  const needs = [free, { ...free, tickets: [change] }, { ...free, tickets: [change, incident] }];
  expect(mergeTickets(needs)).toEqual([change, incident]);
});
