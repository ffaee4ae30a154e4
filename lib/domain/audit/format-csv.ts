import type { AuditEntry } from "./audit-entry.ts";

export const csvHeader =
  "seq,time,source,code,outcome,actor_type,actor,issuer,subject,token,cluster,namespace,kind,name,action,reason,hash";

/** One entry as a line of a table, in the order of `csvHeader`. */
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
 * How a formula begins: with a sign, its full-width or small form, behind whatever a spreadsheet skips or nobody sees
 * (spaces, control characters, marks of direction and of no width).
 */
const formulaStart =
  /^[\s\p{Cc}\p{Cf}\p{Z}\u115f\u1160\u3164\uffa0]*[=+\-@\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b\u2212]|^[\t\r]/u;

/** RFC 4180. What a spreadsheet would take for a formula gets an apostrophe before it: names and reasons are hostile. */
function formatCell(value: string | undefined): string {
  if (value === undefined) return "";
  const text = formulaStart.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
