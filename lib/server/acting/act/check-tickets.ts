import type { TicketAnswer, TicketQuestion } from "#lib/domain/notify/ticket-events.ts";
import type { TicketNeed } from "#lib/domain/policy/ticket.ts";
import { findTicket } from "#lib/domain/policy/ticket-pattern.ts";
import { redactText } from "#lib/domain/storable/redact-text.ts";
import type { ActionAttempt, Refusal } from "#lib/server/acting/act/action-attempt.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import type { PolicyConfig, TicketCheck } from "#lib/server/platform/config/policy-schema.ts";
import { inSpan } from "#lib/server/platform/telemetry/tracing.ts";
import { updateAction } from "#lib/server/records/action-store.ts";

/** A ticket of the reason, as the audit log keeps it. `answer`: of the system that was asked; absent if none was. */
export type TicketEvidence = {
  rule: string;
  ticket: string;
  answer?: TicketAnswer & {
    /** ISO 8601; when it was asked. */
    at: string;
    ms: number;
  };
};

export type CheckedTickets = {
  tickets: readonly TicketEvidence[];
  refusal: Refusal | undefined;
  /** A system may take the action for allowed: the outcome must reach it. */
  mustTell: boolean;
};

/**
 * Asks the systems that decide about the tickets of an action, all at the same time, each once. Anything but a plain yes
 * refuses the action. That they are asked is stored before, so that each of them is told the outcome, even if this
 * process ends now.
 */
export async function checkTickets({
  attempt,
  needs,
}: {
  attempt: ActionAttempt & { id: string };
  needs: readonly TicketNeed[];
}): Promise<CheckedTickets> {
  const { ctx, request, id } = attempt;
  const { pool } = ctx.runtime;
  const reason = request.reason ?? "";
  const named = needs.map(({ rule, pattern, checked }) => ({
    rule,
    checked,
    ticket: findTicket(pattern, reason) ?? "",
  }));
  const asked = named.flatMap(({ rule, ticket, checked }) => (checked ? [{ rule, ticket }] : []));
  if (asked.length > 0) {
    const plan = { tickets: asked };
    if (!(await updateAction({ client: pool, id, change: { plan }, from: ["requested"] })))
      throw new ServiceError("conflict", "Another process has already settled this action.", { actionId: id });
  }
  const tickets = await Promise.all(
    named.map(
      async ({ rule, ticket, checked }): Promise<TicketEvidence> =>
        checked
          ? { rule, ticket, answer: await inSpan("ticket check", {}, () => ask(attempt, { rule, ticket })) }
          : { rule, ticket },
    ),
  );
  const refused = tickets.find(({ answer }) => answer !== undefined && answer.allow !== true);
  return {
    tickets,
    refusal: refused === undefined ? undefined : refusalOf(refused, tickets),
    mustTell: tickets.some(({ answer }) => answer !== undefined && answer.allow !== false),
  };
}

async function ask(
  { ctx, path, request, id }: ActionAttempt & { id: string },
  { rule, ticket }: { rule: string; ticket: string },
): Promise<NonNullable<TicketEvidence["answer"]>> {
  const { runtime, actor } = ctx;
  const { publicUrl, policies } = runtime.config().config;
  const now = runtime.now();
  const time = now.toISOString();
  const check = findCheck(policies, rule);
  if (check === undefined) return { message: "the config has changed meanwhile", at: time, ms: 0 };
  const question: TicketQuestion = {
    ...{ id, rule, ticket, action: request.action, time },
    target: { cluster: path.cluster, namespace: path.namespace, kind: path.kind, name: path.name },
    actor: { name: actor.name, username: actor.username },
    reason: redactText(request.reason ?? ""),
  };
  const beganAt = performance.now();
  const answer = await runtime.askTicket({ check, question, publicUrl, now });
  return { ...answer, at: time, ms: Math.round(performance.now() - beganAt) };
}

function findCheck({ reasons }: Pick<PolicyConfig, "reasons">, rule: string): TicketCheck | undefined {
  return reasons.find(({ ticket }) => ticket?.name === rule)?.ticket?.check;
}

function refusalOf({ rule, ticket, answer }: TicketEvidence, tickets: readonly TicketEvidence[]): Refusal {
  const message = answer?.message ?? "";
  return {
    code: "ticket_refused",
    message:
      answer?.allow === false
        ? `Ticket check "${rule}" refused ${ticket}${message === "" ? "." : `: ${message}`}`
        : `Ticket check "${rule}" gave no usable answer about ${ticket} (${message}): nothing was sent. Try again.`,
    policy: rule,
    detail: { tickets },
  };
}
