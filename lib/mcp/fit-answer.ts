import { isRecord } from "#lib/util/json.ts";
import { cleanLine, cutText } from "#lib/util/text.ts";

/** How many entries of a list an answer leaves out. */
export type LeftOut = { list: string; count: number };

/** How much of each text and list stays. Each next level is tried if the answer is still too large. */
const levels = [
  { text: 500, items: 25 },
  { text: 300, items: 12 },
  { text: 200, items: 8 },
  { text: 120, items: 5 },
  { text: 80, items: 3 },
  { text: 48, items: 1 },
] as const;
type Level = (typeof levels)[number];

/** Texts that an agent sends back: never cut. */
const whole = new Set(["id", "uid", "runUid", "runKey", "revisionKey", "viewDigest", "targetVersion", "nextCursor"]);

/**
 * Cleans foreign text of what nobody sees, and shortens texts and lists until the data fits. `kept` is a list that stays
 * whole: its cursor continues after its last item. Returns undefined if it does not fit.
 */
export function fitData({
  data,
  fits,
  kept,
}: {
  data: unknown;
  fits: (data: unknown, leftOut: readonly LeftOut[]) => boolean;
  kept?: string | undefined;
}): { data: unknown; leftOut: LeftOut[] } | undefined {
  for (const level of levels) {
    const leftOut: LeftOut[] = [];
    const shortened = shorten({ value: data, path: [], level, kept, leftOut });
    if (fits(shortened, leftOut)) return { data: shortened, leftOut };
  }
  return undefined;
}

type Shortening = {
  value: unknown;
  path: readonly string[];
  level: Level;
  kept: string | undefined;
  leftOut: LeftOut[];
};

function shorten({ value, path, ...rest }: Shortening): unknown {
  const { level, kept, leftOut } = rest;
  const key = path.at(-1) ?? "";
  if (typeof value === "string") return whole.has(key) ? value : cutText(cleanLine(value), level.text);
  if (Array.isArray(value)) {
    const list = path.join(".");
    const most = list === kept ? value.length : level.items;
    if (value.length > most) leftOut.push({ list, count: value.length - most });
    return value.slice(0, most).map((item, index) => shorten({ value: item, path: [...path, String(index)], ...rest }));
  }
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, shorten({ value: each, path: [...path, name], ...rest })]),
  );
}
