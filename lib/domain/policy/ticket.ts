import { matchesAny } from "./match-glob.ts";
import { isInScope, type Scope, type Target } from "./rights.ts";
import { findTicket, makeSampleTicket } from "./ticket-pattern.ts";

/** A ticket that the reason must name. `isChecked`: the config has an address that is asked about it at the click. */
export type TicketRule = { name: string; pattern: string; isChecked: boolean };

/** A ticket that an action needs, by the rule of this name. `checked`: a system outside Gatehouse decides at the click. */
export type TicketNeed = { rule: string; pattern: string; checked: boolean };

type Action = { name: string; protective: boolean };

/**
 * Finds the tickets that an action needs, each once. A protective action needs none, whatever else it does: it must not
 * wait for a number, nor for another system.
 */
export function findTicketNeeds({
  rules,
  action,
  also = [],
  target,
}: {
  rules: readonly { scope: Scope; actions: readonly string[]; ticket?: TicketRule | undefined }[];
  action: Action;
  also?: readonly Action[] | undefined;
  target: Target;
}): TicketNeed[] {
  if (action.protective) return [];
  const advancing = [action, ...also].filter(({ protective }) => !protective);
  return rules.flatMap(({ scope, actions, ticket }) =>
    ticket !== undefined && isInScope(scope, target) && advancing.some(({ name }) => matchesAny(actions, name))
      ? [{ rule: ticket.name, pattern: ticket.pattern, checked: ticket.isChecked }]
      : [],
  );
}

/** Explains which ticket the reason lacks; undefined if it lacks none. */
export function explainMissingTicket(needs: readonly TicketNeed[], reason: string): string | undefined {
  const missing = needs.find(({ pattern }) => findTicket(pattern, reason) === undefined);
  if (missing === undefined) return undefined;
  return `The reason must name a ticket such as ${makeSampleTicket(missing.pattern)} (rule "${missing.rule}").`;
}
