const mostPips = 8;

type PipsProps = { used: number; limit: string };

/**
 * Writes how much of a limit is used: a full mark for each use, those beyond the limit included. Undefined for a limit
 * that has no number, or too large a one.
 */
export function writePips({ used, limit }: PipsProps): string | undefined {
  const most = Number(limit);
  if (limit === "" || !Number.isInteger(most) || most < 0 || Math.max(used, most) > mostPips) return undefined;
  return `${"●".repeat(used)}${"○".repeat(Math.max(0, most - used))}`;
}

/** Shows how much of a limit is used, if pips can; the caller gives the numbers in words. */
export function Pips(props: PipsProps) {
  const pips = writePips(props);
  if (pips === undefined || pips === "") return null;
  return (
    <span aria-hidden="true" style={{ letterSpacing: "0.1em", whiteSpace: "nowrap" }}>
      {pips}
    </span>
  );
}
