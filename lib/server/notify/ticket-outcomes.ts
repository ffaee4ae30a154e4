import { z } from "zod";
import type { AuditEntry } from "#lib/domain/audit/audit-entry.ts";
import { stableUuid } from "#lib/domain/delivery/rollout-id.ts";
import { eventOfAuditEntry } from "#lib/domain/notify/make-notifiable-event.ts";
import type { NotifiableEvent } from "#lib/domain/notify/notifiable-event.ts";
import { redactText } from "#lib/domain/storable/redact-text.ts";
import { nameTicketChannel } from "#lib/server/platform/config/ticket-channels.ts";
import { readDatabaseTime } from "#lib/server/platform/db/database-time.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import type { Connection } from "#lib/server/platform/db/run-query.ts";
import { StoredPlan } from "#lib/server/records/action-store.ts";
import { storeMessage } from "./store-message.ts";

/**
 * Queues the outcomes among these audit entries for the systems that were asked about the tickets of their actions: one
 * message for each entry and system, in the transaction that moves the place in the log.
 */
export async function queueTicketOutcomes(tx: Connection, entries: readonly AuditEntry[]): Promise<void> {
  const outcomes = entries.filter(({ actionId, outcome }) => outcome !== "intent" && isUuid(actionId));
  const askedBy = await readAsked(tx, [...new Set(outcomes.flatMap(({ actionId }) => actionId ?? []))]);
  if (askedBy.size === 0) return;
  const now = await readDatabaseTime(tx);
  for (const entry of outcomes)
    for (const asked of askedBy.get(entry.actionId ?? "") ?? []) {
      const event = eventOfOutcome(entry, asked);
      if (event === undefined) continue;
      const name = nameTicketChannel(asked.rule);
      const { severity, title } = event;
      const id = stableUuid("message", name, event.id);
      const message = { id, shape: "single" as const, severity, title, routes: [], events: [event] };
      await storeMessage(tx, { message, channel: { name, type: "webhook" }, now });
    }
}

function isUuid(text: string | undefined): boolean {
  return z.uuid().safeParse(text).success;
}

type Asked = { rule: string; ticket: string };

/** Reads which systems were asked, by action. */
async function readAsked(tx: Connection, ids: string[]): Promise<Map<string, Asked[]>> {
  if (ids.length === 0) return new Map();
  const rows = await prismaOn(tx).action.findMany({ where: { id: { in: ids } }, select: { id: true, plan: true } });
  return new Map(
    rows.flatMap(({ id, plan }) => {
      const { tickets = [] } = StoredPlan.safeParse(plan).data ?? {};
      return tickets.length === 0 ? [] : [[id, tickets] as const];
    }),
  );
}

function eventOfOutcome(entry: AuditEntry, { rule, ticket }: Asked): NotifiableEvent | undefined {
  const event = eventOfAuditEntry(entry);
  if (event === undefined) return undefined;
  const { action = "", actionId = "", code } = entry;
  return {
    ...event,
    id: stableUuid("ticket-outcome", rule, event.id),
    title: redactText(event.title),
    sentence: redactText(event.sentence),
    facts: event.facts.map(({ label, value }) => ({ label, value: redactText(value) })),
    ticket: { id: actionId, rule, ticket, action, outcome: entry.outcome ?? code.replace(/^action\./, "") },
  };
}
