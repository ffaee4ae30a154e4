import type { Target } from "#lib/domain/policy/rights.ts";
import { cleanLine } from "#lib/util/text.ts";
import { linkTo, type NotifiableEvent, type TicketAction, type TicketOutcome } from "./notifiable-event.ts";

export type TicketQuestion = TicketAction & {
  target: Target;
  actor: { name: string; username: string };
  reason: string;
  /** ISO 8601. */
  time: string;
};

/**
 * What the system that decides about a ticket answered. Only `allow: true` allows; without `allow` there was no usable
 * answer, and `message` is ours. Foreign text is bounded and redacted.
 */
export type TicketAnswer = { allow?: boolean; status?: number; message: string };

/** Asks the system of a check whether an action may go on. Never rejects: whatever happens is an answer. */
export type AskTicket<Check> = (asked: {
  check: Check;
  question: TicketQuestion;
  /** Of Gatehouse, for links in the question. */
  publicUrl: string;
  now: Date;
}) => Promise<TicketAnswer>;

/** A CloudEvent about a ticket. `id`: of this message, by which a receiver tells repeats. */
type TicketEvent<Data> = {
  specversion: "1.0";
  id: string;
  source: string;
  type: "io.gatehouse.ticket.check" | "io.gatehouse.ticket.outcome";
  time: string;
  subject: string;
  datacontenttype: "application/json";
  data: Data;
};

/** Formats the question whether an action may go on. Its texts are redacted by the caller. */
export function formatTicketQuestion(
  id: string,
  { time, ...question }: TicketQuestion,
  publicUrl: string,
): TicketEvent<Omit<TicketQuestion, "time">> {
  return {
    ...headOf({ id, source: publicUrl, type: "io.gatehouse.ticket.check", time, target: question.target }),
    data: question,
  };
}

/** Formats the event of an audit entry as the outcome of an action, for the system that was asked about it. */
export function formatTicketOutcome(
  id: string,
  { ticket, target, at, sentence, path }: NotifiableEvent & { ticket: TicketOutcome },
  publicUrl: string,
): TicketEvent<TicketOutcome & { target: Target; sentence: string; link: string }> {
  return {
    ...headOf({ id, source: publicUrl, type: "io.gatehouse.ticket.outcome", time: at, target }),
    data: { ...ticket, target, sentence: cleanLine(sentence), link: linkTo(publicUrl, path) },
  };
}

function headOf({
  target,
  ...head
}: Pick<TicketEvent<unknown>, "id" | "source" | "type" | "time"> & { target: Target }) {
  const { cluster, namespace, kind, name } = target;
  return {
    specversion: "1.0",
    ...head,
    subject: [cluster, namespace, kind ?? "", name].join("/"),
    datacontenttype: "application/json",
  } as const;
}
