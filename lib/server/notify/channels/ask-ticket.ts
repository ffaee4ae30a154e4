import { z } from "zod";
import { stableUuid } from "#lib/domain/delivery/rollout-id.ts";
import { type AskTicket, formatTicketQuestion, type TicketAnswer } from "#lib/domain/notify/ticket-events.ts";
import { redactBeginning } from "#lib/domain/storable/redact-text.ts";
import type { TicketCheck } from "#lib/server/platform/config/policy-schema.ts";
import { ticketChannelOf } from "#lib/server/platform/config/ticket-channels.ts";
import { parseJson } from "#lib/util/json.ts";
import { cleanLine, cutText } from "#lib/util/text.ts";
import { type Answer, describeFailure } from "./post-json.ts";
import { postSigned } from "./post-signed.ts";
import { isMissingSecret } from "./read-secret.ts";

const maxAnswerBytes = 16 * 1024;
const longestMessage = 300;

const Decision = z.object({ allow: z.boolean(), message: z.string().nullish() });

/** Resolves within the check's timeout. */
export const askTicket: AskTicket<TicketCheck> = async ({ check, question, publicUrl, now }) => {
  const { timeoutMs } = check;
  const id = stableUuid("ticket-check", question.id, question.rule);
  try {
    const answer = await postSigned(ticketChannelOf(question.rule, check), {
      ...{ id, now, timeoutMs, maxAnswerBytes, signal: AbortSignal.timeout(timeoutMs) },
      event: formatTicketQuestion(id, question, publicUrl),
    });
    return { status: answer.status, ...judgeAnswer(answer) };
  } catch (error) {
    return { message: isMissingSecret(error) ? error.message : describeFailure(error, timeoutMs) };
  }
};

function judgeAnswer({ status, body, isCut }: Answer): Omit<TicketAnswer, "status"> {
  if (status !== 200) return { message: `answered ${status}` };
  if (isCut) return { message: `answered more than ${maxAnswerBytes / 1024} KiB` };
  const decision = Decision.safeParse(parseJson(body));
  if (!decision.success) return { message: 'answered without {"allow": true} or {"allow": false}' };
  const { allow, message } = decision.data;
  return { allow, message: cutText(cleanLine(redactBeginning(message ?? "")), longestMessage) };
}
