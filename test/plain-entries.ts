/** Returns the SQL that adds rows with these numbers to the audit log, outside of the chain, for rows that refer to them. */
export function plainEntries(first: number, last = first): string {
  return `INSERT INTO audit_entry (seq, time, entry, entry_hash, previous_hash, hash, code, source, actor_name)
    SELECT n, now(), '', '', '', n, '', 'cluster', '' FROM generate_series(${first}, ${last}) AS n ON CONFLICT DO NOTHING`;
}
