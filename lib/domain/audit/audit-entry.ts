import canonicalize from "canonicalize";
import { formatObjectRef, type ObjectRef } from "#lib/domain/delivery/object-ref.ts";
import { parseJson } from "#lib/util/json.ts";
import { sha256Hex } from "#lib/util/sha256.ts";
import { formatCanonicalText } from "./canonical-text.ts";

export type AuditActor = {
  /** `kubernetes-user`: a user who acted in the cluster, as named by its API server. */
  type: "user" | "token" | "system" | "unknown" | "kubernetes-user";
  issuer?: string;
  subject?: string;
  name: string;
  token?: { id: string; name: string };
};

export type AuditTarget = { id?: string; cluster?: string; namespace?: string; kind?: string; name?: string };
export type AuditOutcome = "intent" | "applied" | "refused" | "partial" | "unknown";
export type AuditSource = "gatehouse" | "cluster" | "system";

export function auditTargetOf({ cluster, namespace, kind, name }: ObjectRef): AuditTarget {
  return { id: formatObjectRef({ cluster, namespace, kind, name }), cluster, namespace, kind, name };
}

/** One entry before it gets its position in the chain. `code` is one of docs/audit-events.md. */
export type AuditDraft = {
  actor: AuditActor;
  source: AuditSource;
  code: string;
  action?: string;
  actionId?: string;
  target?: AuditTarget;
  reason?: string;
  outcome?: AuditOutcome;
  /** Strings, booleans, null, safe integers, and arrays and objects of these: anything else fails the append. */
  detail?: Record<string, unknown>;
  requestId: string;
};

/** One entry as it is hashed: the draft, its position, the database's time, and the digest of its evidence. */
export type AuditEntry = AuditDraft & { seq: number; time: string; evidenceDigest?: string };

/**
 * Formats the text of an entry that is stored and hashed: RFC 8785, absent fields left out, lone surrogates replaced.
 * Throws `TypeError` for a value that has no canonical text.
 */
export function formatEntryText(entry: AuditEntry): string {
  return formatCanonicalText(withoutAbsent(entry));
}

/** Parses a stored text; returns undefined if it is not an entry. */
export function parseEntryText(text: string): AuditEntry | undefined {
  const value = parseJson(text);
  return isEntry(value) ? value : undefined;
}

function isEntry(value: unknown): value is AuditEntry {
  if (typeof value !== "object" || value === null) return false;
  const entry = value as Record<string, unknown>;
  const actor = entry.actor as Record<string, unknown> | null | undefined;
  return (
    Number.isSafeInteger(entry.seq) &&
    typeof entry.time === "string" &&
    typeof entry.code === "string" &&
    typeof entry.source === "string" &&
    typeof actor === "object" &&
    actor !== null &&
    typeof actor.name === "string"
  );
}

function withoutAbsent(value: unknown): unknown {
  if (typeof value === "string") return value.toWellFormed();
  if (Array.isArray(value)) return value.map(withoutAbsent);
  if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]) =>
      member === undefined ? [] : [[key.toWellFormed(), withoutAbsent(member)]],
    ),
  );
}

/** The state that a person saw, frozen: stored once per content, referenced in the chain by its digest. */
export type Evidence = { digest: string; content: string };

/** Makes the canonical JSON text of any JSON value and its SHA-256. Replaces lone surrogates, which have none. */
export function makeEvidence(value: unknown): Evidence {
  const content = canonicalize(JSON.parse(JSON.stringify(value), replaceSurrogates)) ?? "null";
  return { digest: sha256Hex(content), content };
}

function replaceSurrogates(_key: string, value: unknown): unknown {
  return typeof value === "string" ? value.toWellFormed() : value;
}
