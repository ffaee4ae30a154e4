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
    .map(formatCell)
    .join(",");
}

/**
 * How a formula begins: a sign, also in its full-width or small form, after anything that a spreadsheet skips or nobody
 * sees (spaces, control characters, direction marks, zero-width characters).
 */
const formulaStart =
  /^[\s\p{Cc}\p{Cf}\p{Z}\u115f\u1160\u3164\uffa0]*[=+\-@\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b\u2212]|^[\t\r]/u;

/**
 * Formats a cell by RFC 4180. Anything that a spreadsheet would read as a formula gets an apostrophe in front: names
 * and reasons are hostile.
 */
function formatCell(value: string | undefined): string {
  if (value === undefined) return "";
  const text = formulaStart.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
