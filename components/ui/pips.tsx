import { formatCount } from "#lib/util/words.ts";

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

/** Says "4 inconclusive, 3 allowed". A negative limit allows any number. */
export function wordUse({ what, used, limit }: PipsProps & { what: string }): string {
  const words = `${formatCount(used)} ${what.toLowerCase()}`;
  return limit === "" || Number(limit) < 0 ? words : `${words}, ${limit} allowed`;
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
