import { expect, it } from "vitest";
import { parseTickets } from "./parse-tickets.ts";

it.each<{ tickets: unknown; says: string[] }>([
  { tickets: undefined, says: [] },
  { tickets: "CHG1", says: [] },
  { tickets: [null, { rule: "x" }], says: [] },
  { tickets: [{ rule: "change", ticket: "CHG1" }], says: ["CHG1"] },
  { tickets: [{ ticket: "CHG1", answer: { allow: true, message: "" } }], says: ["CHG1: allowed"] },
  {
    tickets: [
      { ticket: "CHG1", answer: { allow: false, status: 200, message: "not yet" } },
      { ticket: "INC-2", answer: { message: "answered 500", status: 500 } },
    ],
    says: ["CHG1: not allowed (not yet)", "INC-2: no usable answer (answered 500)"],
  },
])("says $says", ({ tickets, says }) => {
  expect(parseTickets(tickets)).toEqual(says);
});
