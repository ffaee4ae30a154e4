import { expect, it } from "vitest";
import { findCommand } from "#lib/domain/acting/find-command.ts";

it.each([
  { query: "abort checkout", actions: ["abort"], rest: "checkout" },
  { query: " Abort  payments/checkout ", actions: ["abort"], rest: "payments/checkout" },
  { query: "promote checkout", actions: ["promote-full"], rest: "checkout" },
  { query: "promote fully checkout", actions: ["promote-full"], rest: "checkout" },
  { query: "skip checkout", actions: ["skip-step", "skip-all", "skip-analysis"], rest: "checkout" },
  { query: "skip all checkout", actions: ["skip-all"], rest: "checkout" },
  { query: "accept and continue checkout", actions: ["accept-step"], rest: "checkout" },
  { query: "undo checkout", actions: ["undo"], rest: "checkout" },
  { query: "roll back checkout", actions: ["undo", "rollback"], rest: "checkout" },
  { query: "continue fully", actions: ["continue"], rest: "fully" },
])("reads $query", ({ query, actions, rest }) => {
  expect(findCommand(query)).toEqual({ actions, rest });
});

it.each(["", "abort", "checkout", "ab checkout", "checkout abort"])("finds no action in %j", (query) => {
  expect(findCommand(query)).toBeUndefined();
});
