const mostPips = 8;

type PipsProps = { used: number; limit: string };

/**
 * Shows how much of a limit is used: a full mark for each use, those beyond the limit included. Shows nothing for a
 * limit that has no number, or too large a one; the caller gives the numbers in words.
 */
export function Pips({ used, limit }: PipsProps) {
  const most = Number(limit);
  if (limit === "" || !Number.isInteger(most) || most < 0 || Math.max(used, most) > mostPips) return null;
  return (
    <span aria-hidden="true" style={{ letterSpacing: "0.1em", whiteSpace: "nowrap" }}>
      {"●".repeat(used)}
      {"○".repeat(Math.max(0, most - used))}
    </span>
  );
}
