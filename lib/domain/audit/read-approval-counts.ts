import type { AuditEntry } from "#lib/domain/audit/audit-entry.ts";

/** Reads how many had approved a request, and how many must, by rule; empty if the entry does not say. */
export function readApprovalCounts({ detail }: Pick<AuditEntry, "detail">): { approved: number; approvers: number }[] {
  const rules = Array.isArray(detail?.rules) ? detail.rules : [];
  return rules.flatMap((rule: unknown) => {
    const { approved, approvers } = (rule ?? {}) as { approved?: unknown; approvers?: unknown };
    return typeof approved === "number" && typeof approvers === "number" ? [{ approved, approvers }] : [];
  });
}
