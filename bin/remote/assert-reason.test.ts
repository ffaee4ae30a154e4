import { expect, it } from "vitest";
import { assertReason } from "./assert-reason.ts";

const free = { reason: false, secondPerson: null, freeze: null, breakGlass: false };
const ticket = { rule: "change", pattern: "CHG\\d+", checked: true };
const strict = { ...free, reason: true, tickets: [ticket] };

it.each<{ reason: string | undefined; fails: string | undefined }>([
  { reason: undefined, fails: "continue needs --reason TEXT" },
  { reason: " ", fails: "continue needs --reason TEXT" },
  { reason: "fine", fails: '--reason: The reason must name a ticket such as CHG1234 (rule "change").' },
  { reason: "CHG7: fine", fails: undefined },
])("checks the reason $reason before anything is sent", ({ reason, fails }) => {
  const assert = () => assertReason("continue", [free, strict], reason);
  if (fails === undefined) expect(assert).not.toThrow();
  else expect(assert).toThrow(fails);
  expect(() => assertReason("abort", [free], reason)).not.toThrow();
});
