import { formatCsvCell } from "#lib/util/format-csv-cell.ts";
import type { AuditEntry } from "./audit-entry.ts";

export const csvHeader =
  "seq,time,source,code,outcome,actor_type,actor,issuer,subject,token,cluster,namespace,kind,name,action,reason,hash";

/** Formats one entry as a line, with the columns of `csvHeader`. */
export function formatCsvLine(entry: AuditEntry, hash: string): string {
  const { actor, target } = entry;
  return [
    ...[String(entry.seq), entry.time, entry.source, entry.code, entry.outcome],
    ...[actor.type, actor.name, actor.issuer, actor.subject, actor.token?.name],
    ...[target?.cluster, target?.namespace, target?.kind, target?.name, entry.action, entry.reason, hash],
  ]
    .map(formatCsvCell)
    .join(",");
}
