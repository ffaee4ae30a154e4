import { providedKinds } from "#lib/domain/providers.ts";

const decidedOn: readonly string[] = ["rollout", "analysis-run", "experiment"];

/** The kinds whose audit events are kept: those that people act on, of all providers. */
export const auditedKinds = providedKinds.filter(({ recordedAs }) => decidedOn.includes(recordedAs));

const byResource = new Map(auditedKinds.map(({ kind, resource: { group, name } }) => [`${group}/${name}`, kind]));

/** Returns the kind of a resource of an audit event; undefined if its events are not kept. */
export function findAuditedKind({ apiGroup, resource }: { apiGroup: string; resource: string }): string | undefined {
  return byResource.get(`${apiGroup}/${resource}`);
}
