import { z } from "zod";
import type { AuditEntry } from "./audit-entry.ts";

const Person = z.discriminatedUnion("found", [
  z.object({
    found: z.literal(true),
    type: z.enum(["user", "service-account", "component"]),
    name: z.string(),
    program: z.string(),
    userAgent: z.string(),
    impersonatedBy: z.string().optional(),
    /** `version`: the version that the request made is the one that was seen; `time`: no other request fits. */
    evidence: z.enum(["version", "time"]),
  }),
  z.object({ found: z.literal(false), senders: z.number() }),
]);

/** Who changed something in a cluster, as `detail.person` of an entry says. */
export type EntryPerson = z.infer<typeof Person>;

/** Reads `detail.person`; undefined if the entry has none, or not in our form. */
export function readPerson(person: unknown): EntryPerson | undefined {
  return person === undefined ? undefined : Person.safeParse(person).data;
}

/**
 * Returns the entry of a change with what a later entry found out about the person behind it. For display only: the
 * chain has both as they were written.
 */
export function withAttribution(entry: AuditEntry, attribution: AuditEntry | undefined): AuditEntry {
  const person = attribution?.detail?.person;
  if (attribution === undefined || person === undefined) return entry;
  return { ...entry, actor: attribution.actor, detail: { ...entry.detail, person } };
}
