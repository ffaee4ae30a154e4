import { computeLink, emptyChain } from "#lib/domain/audit/audit-chain.ts";
import { formatEntryText, makeEvidence, parseEntryText } from "#lib/domain/audit/audit-entry.ts";
import type { HistoryRow } from "./pack.ts";

/** Evidence whose times were moved, with its new digest, and the new digests by the old ones. */
export function digestAgain(evidence: readonly HistoryRow[]): {
  rows: HistoryRow[];
  digests: ReadonlyMap<unknown, string>;
} {
  const digests = new Map<unknown, string>();
  const rows = evidence.map((row) => {
    const made = makeEvidence(JSON.parse(textOf(row, "content")));
    digests.set(row.digest, made.digest);
    return { ...row, ...made };
  });
  return { rows, digests };
}

/** Links the entries anew: their times were moved, and an entry's hash covers its time and its evidence. */
export function linkAgain(entries: readonly HistoryRow[], digests: ReadonlyMap<unknown, string>): HistoryRow[] {
  let head = emptyChain;
  return entries.map((row) => {
    const entry = parseEntryText(textOf(row, "entry"));
    if (entry === undefined) throw new Error(`entry ${row.seq} of the demo's history is unreadable`);
    const evidenceDigest = digests.get(entry.evidenceDigest);
    const link = computeLink({ head, entry: formatEntryText({ ...entry, evidenceDigest }) });
    head = link;
    return {
      ...row,
      ...{ entry: link.entry, entry_hash: link.entryHash, previous_hash: link.previousHash, hash: link.hash },
      evidence_digest: evidenceDigest ?? null,
    };
  });
}

function textOf(row: HistoryRow, name: string): string {
  const value = row[name];
  if (typeof value !== "string") throw new Error(`the demo's history has no text ${name}`);
  return value;
}
