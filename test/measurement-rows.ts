/**
 * Returns a table for FROM: the stored measurements with the names of their metrics, and the words and texts that their
 * columns stand for.
 */
export function storedMeasurements(alias = "measurement"): string {
  return `(SELECT t.rollout_id, t.run_uid, t.name AS metric, m.seq, m.started_at, m.finished_at,
      CASE m.phase WHEN 'S' THEN 'Successful' WHEN 'F' THEN 'Failed' WHEN 'I' THEN 'Inconclusive' WHEN 'E' THEN 'Error'
        WHEN 'R' THEN 'Running' WHEN 'P' THEN 'Pending' ELSE substr(m.phase, 2) END AS phase,
      COALESCE(NULLIF(m.value, ''), CASE m.parsed_kind WHEN 'n' THEN m.parsed::text WHEN 'a' THEN '[' || m.parsed::text || ']'
        ELSE m.value END) AS value,
      m.escaped,
      CASE m.parsed_kind WHEN 'n' THEN 'number' WHEN 'a' THEN 'array' WHEN 'N' THEN 'nan' WHEN '+' THEN '+inf'
        WHEN '-' THEN '-inf' WHEN 'o' THEN 'object' WHEN 's' THEN 'string' WHEN 'e' THEN 'empty' WHEN 'u' THEN 'unparsable'
        END AS parsed_kind,
      m.parsed, m.message, m.superseded, NULLIF(m.metadata, '')::jsonb AS metadata
    FROM recorded_measurement m JOIN metric t ON t.id = m.metric_id) ${alias}`;
}

/** Returns the same of the gaps. */
export function storedGaps(alias = "measurement_gap"): string {
  return `(SELECT t.rollout_id, t.run_uid, t.name AS metric, g.after_seq, g.count, g.open
    FROM measurement_gap g JOIN metric t ON t.id = g.metric_id) ${alias}`;
}

const written: Readonly<Record<string, string>> = {
  phase: "left(phase, 1)",
  parsed_kind: "CASE parsed_kind WHEN 'nan' THEN 'N' ELSE left(parsed_kind, 1) END",
  value:
    "CASE value WHEN CASE parsed_kind WHEN 'number' THEN parsed::text ELSE '[' || parsed::text || ']' END THEN '' ELSE value END",
};

/**
 * Returns the statement that inserts measurements as the recorder stores them. `rows` selects the uid of a run, the name
 * of its metric, the columns with their words, and `parsed`. The metrics are stored already.
 */
export function insertMeasured(columns: readonly string[], rows: string): string {
  return `INSERT INTO measurement (metric_id, ${columns.join(", ")})
    SELECT (SELECT id FROM metric WHERE run_uid = given.run_uid AND name = given.metric),
      ${columns.map((column) => written[column] ?? column).join(", ")}
    FROM (${rows}) given`;
}
