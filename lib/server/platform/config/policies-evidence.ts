import { type Evidence, makeEvidence } from "#lib/domain/audit/audit-entry.ts";
import { PolicyConfig } from "#lib/server/platform/config/policy-schema.ts";
import { parseJson } from "#lib/util/json.ts";

const known = new WeakMap<PolicyConfig, Evidence>();

/**
 * Makes the evidence of the policies in force, defaults included: the same object for the same config. Evidence is kept
 * for ever, so it has no addresses of systems that are asked about tickets.
 */
export function policiesEvidenceOf(policies: PolicyConfig): Evidence {
  const evidence = known.get(policies) ?? makeEvidence({ ...policies, reasons: policies.reasons.map(withoutCheck) });
  known.set(policies, evidence);
  return evidence;
}

function withoutCheck({ ticket, ...rule }: PolicyConfig["reasons"][number]) {
  return ticket === undefined ? rule : { ...rule, ticket: { name: ticket.name, pattern: ticket.pattern } };
}

/** Parses such evidence; undefined if this version does not know policies of this form. */
export function parsePoliciesEvidence(content: string): PolicyConfig | undefined {
  return PolicyConfig.safeParse(parseJson(content)).data;
}
