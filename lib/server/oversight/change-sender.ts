import type { Pool } from "pg";
import type { CandidateWrite, SenderVerdict, SoughtChange } from "#lib/domain/kube-audit/find-sender.ts";
import { describeUser, type KubernetesUser } from "#lib/domain/kube-audit/person.ts";
import { findProvider, providerOfSubject } from "#lib/domain/providers.ts";
import { type AuditRules, type ChangedObject, findChangeSender } from "#lib/server/kube-audit/find-change-sender.ts";

/** The sender in an entry's detail. `found`: named by the API server; `ambiguous`: several requests fit. */
export type PersonDetail =
  | ({ found: true; evidence: "version" | "time" } & KubernetesUser)
  | { found: false; ambiguous: true; senders: number };

export type FoundSender = {
  state: "named" | "ambiguous";
  person: PersonDetail;
  /** The event that names the person. */
  eventId: bigint | null;
};

/** Returns the fields that a client writes to make the change of such an object; undefined if that is not known. */
export function fieldsOfChange(kind: string, action: string): readonly string[] | undefined {
  return (findProvider(kind) ?? providerOfSubject(kind)).writtenFields?.[action];
}

/**
 * Finds the person who made a change. Undefined while no one can be named, and while another person's event may still
 * arrive, unless the versions leave no doubt.
 */
export async function findSenderOfChange({
  pool,
  object,
  change,
  rules,
  now,
}: {
  pool: Pool;
  object: ChangedObject;
  change: SoughtChange;
  rules: AuditRules;
  /** Milliseconds since 1970. */
  now: number;
}): Promise<FoundSender | undefined> {
  const verdict = await findChangeSender(pool, { object, change, rules });
  const isSettled = now >= change.to + rules.kubernetesAudit.settleSeconds * 1000;
  if (verdict.kind === "none" || !(isSettled || (verdict.kind === "found" && verdict.isCertain))) return undefined;
  return toFound(verdict);
}

function toFound(verdict: Exclude<SenderVerdict<CandidateWrite>, { kind: "none" }>): FoundSender {
  if (verdict.kind === "ambiguous")
    return { state: "ambiguous", person: { found: false, ambiguous: true, senders: verdict.senders }, eventId: null };
  const { username, userAgent, impersonatedBy, id } = verdict.write;
  const person = describeUser({ username, userAgent, impersonatedBy });
  return {
    state: "named",
    person: { found: true, evidence: verdict.isCertain ? "version" : "time", ...person },
    eventId: BigInt(id),
  };
}
