import type { KubernetesUser } from "#lib/domain/kube-audit/person.ts";
import type { AuditEntry } from "./audit-entry.ts";

/** Who changed something in a cluster, from an entry's `detail.person`; `senders`: the number of possible senders. */
export type EntryPerson = ({ found: true } & KubernetesUser) | { found: false; senders: number };

const types: readonly unknown[] = ["user", "service-account", "component"];

/** Reads `detail.person`; undefined if the entry has none, or not in our form. By hand: pages load this file. */
export function readPerson(person: unknown): EntryPerson | undefined {
  if (typeof person !== "object" || person === null) return undefined;
  const { found, senders, type, name, program, userAgent, impersonatedBy } = person as Record<string, unknown>;
  if (found === false) return typeof senders === "number" ? { found, senders } : undefined;
  if (found !== true || !types.includes(type)) return undefined;
  if (typeof name !== "string" || typeof program !== "string" || typeof userAgent !== "string") return undefined;
  return {
    ...{ found, type: type as KubernetesUser["type"], name, program, userAgent },
    ...(typeof impersonatedBy === "string" && { impersonatedBy }),
  };
}

/**
 * Returns the entry of a change with the person found by a later entry. For display only: the chain has both as they
 * were written.
 */
export function withAttribution(entry: AuditEntry, attribution: AuditEntry | undefined): AuditEntry {
  const person = attribution?.detail?.person;
  if (attribution === undefined || person === undefined) return entry;
  return { ...entry, actor: attribution.actor, detail: { ...entry.detail, person } };
}
