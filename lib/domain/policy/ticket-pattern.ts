const digits = "1234567890";
const capitals = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const known: Readonly<Record<string, string>> = { d: digits, w: `${capitals}${capitals.toLowerCase()}${digits}_` };

/** One of some characters, repeated. */
type Part = { letters: string; min: number; max: number };
/** One place of a ticket: `isOptional` may be left out, `isRepeated` may stand again. */
type Step = { letters: string; isOptional: boolean; isRepeated: boolean };

const longestPattern = 100;
const longestTicket = 100;
const longestReason = 2000;

/**
 * Explains why a pattern of tickets cannot be used; undefined if it can. Patterns are a part of regular expressions
 * that is matched in bounded time: characters, `\d`, `\w`, classes such as `[A-Z]`, `?`, `*`, `+`, `{n,m}` and `|`.
 */
export function explainBadPattern(pattern: string): string | undefined {
  const parsed = parsePattern(pattern);
  return typeof parsed === "string" ? parsed : undefined;
}

/**
 * Finds the first ticket in a reason, as long as possible. It is never a part of a word: `CHG\d{4}` does not match in
 * CHG12345. Undefined if there is none, or if the pattern cannot be used.
 */
export function findTicket(pattern: string, reason: string): string | undefined {
  const parsed = parsePattern(pattern);
  if (typeof parsed === "string") return undefined;
  const text = reason.slice(0, longestReason);
  const [first] = parsed
    .flatMap((parts) => findFirst(toSteps(parts), text) ?? [])
    .toSorted((one, other) => one.start - other.start || other.end - one.end);
  return first === undefined || first.end - first.start > longestTicket
    ? undefined
    : text.slice(first.start, first.end);
}

/** Returns a ticket that the pattern matches, such as `CHG1234` for `CHG\d+`. Empty for a pattern that cannot be used. */
export function makeSampleTicket(pattern: string): string {
  const parsed = parsePattern(pattern);
  const [first = []] = typeof parsed === "string" ? [] : parsed;
  return first
    .map(({ letters, min, max }) => {
      const count = max === Number.POSITIVE_INFINITY ? Math.max(min, 4) : min;
      return Array.from({ length: count }, (_, index) => letters[index % letters.length]).join("");
    })
    .join("");
}

/** Returns the alternatives of a pattern, or why it cannot be used. */
function parsePattern(pattern: string): Part[][] | string {
  if (pattern.length > longestPattern) return `a pattern has at most ${longestPattern} characters`;
  const choices: Part[][] = [[]];
  let rest = pattern;
  while (rest !== "") {
    if (rest.startsWith("|")) {
      choices.push([]);
      rest = rest.slice(1);
      continue;
    }
    const one = readLetters(rest);
    if (typeof one === "string") return one;
    rest = rest.slice(one.length);
    const [sign = ""] = /^(?:[?*+]|\{\d{1,3}(?:,\d{0,3})?\})/.exec(rest) ?? [];
    rest = rest.slice(sign.length);
    choices.at(-1)?.push({ letters: one.letters, ...readCount(sign) });
  }
  return choices.map(explainBadChoice).find((problem) => problem !== undefined) ?? choices;
}

function explainBadChoice(parts: readonly Part[]): string | undefined {
  if (parts.some(({ min, max }) => max < min || max === 0)) return "a count such as {4,2} or {0} matches nothing";
  if (parts.every(({ min }) => min === 0))
    return "it would match a reason without a ticket: say what a ticket must have";
  if (toSteps(parts).length > longestTicket) return `a ticket has at most ${longestTicket} characters`;
  return undefined;
}

/** Reads one character, escape or class at the beginning of a text, and how many characters of it that took. */
function readLetters(text: string): { letters: string; length: number } | string {
  const [first = "", second = ""] = text;
  if (first === "[") return readClass(text);
  if (first === "\\") {
    const meant = /[A-Za-z0-9]/.test(second) ? known[second] : second;
    if (meant === undefined || !isPrintable(meant))
      return `"\\${second}" is not supported: use \\d, \\w or a class such as [A-Z]`;
    return { letters: meant, length: 2 };
  }
  if (first === "^" || first === "$") return "a ticket may be anywhere in the reason: leave out ^ and $";
  if ("()?*+{}]".includes(first) || first === ".")
    return `"${first}" is not supported here: for the character itself, write \\${first}`;
  return isPrintable(first) ? { letters: first, length: 1 } : "use printable ASCII characters only";
}

function readClass(text: string): { letters: string; length: number } | string {
  const [whole, inner = ""] = /^\[((?:[^\\\]]|\\.)+)\]/s.exec(text) ?? [];
  if (whole === undefined)
    return 'a class such as [A-Z] has no end, or is empty: for the character itself, write "\\["';
  if (inner.startsWith("^")) return "a class that excludes characters is not supported: name those that it has";
  let found = "";
  let rest = inner;
  while (rest !== "") {
    const [range, from = "", to = ""] = /^([A-Za-z0-9])-([A-Za-z0-9])/.exec(rest) ?? [];
    const one = range === undefined ? readMember(rest) : { letters: listRange(from, to), length: range.length };
    if (typeof one === "string") return one;
    if (one.letters === "") return `the range ${range} is empty`;
    found += one.letters;
    rest = rest.slice(one.length);
  }
  return { letters: found, length: whole.length };
}

/** Within a class, only the backslash is special. */
function readMember(text: string): { letters: string; length: number } | string {
  const [first = ""] = text;
  if (first === "\\") return readLetters(text);
  return isPrintable(first) ? { letters: first, length: 1 } : "use printable ASCII characters only";
}

function listRange(from: string, to: string): string {
  const count = to.charCodeAt(0) - from.charCodeAt(0) + 1;
  const all = Array.from({ length: Math.max(0, count) }, (_, index) => String.fromCharCode(from.charCodeAt(0) + index));
  return all.join("");
}

function isPrintable(text: string): boolean {
  return /^[ -~]+$/.test(text);
}

function readCount(sign: string): { min: number; max: number } {
  const endless = Number.POSITIVE_INFINITY;
  if (sign === "?") return { min: 0, max: 1 };
  if (sign === "*") return { min: 0, max: endless };
  if (sign === "+") return { min: 1, max: endless };
  const [, least, comma, most] = /^\{(\d+)(?:(,)(\d*))?\}$/.exec(sign) ?? [];
  if (least === undefined) return { min: 1, max: 1 };
  return { min: Number(least), max: comma === undefined ? Number(least) : most === "" ? endless : Number(most) };
}

function toSteps(parts: readonly Part[]): Step[] {
  return parts.flatMap(({ letters, min, max }) => {
    const isEndless = max === Number.POSITIVE_INFINITY;
    const needed = Array.from({ length: min }, (): Step => ({ letters, isOptional: false, isRepeated: false }));
    const more = Array.from(
      { length: isEndless ? 1 : Math.max(0, max - min) },
      (): Step => ({ letters, isOptional: true, isRepeated: isEndless }),
    );
    return [...needed, ...more];
  });
}

const none = Number.POSITIVE_INFINITY;

/**
 * Finds the first match, as long as possible. It walks the text once, all ways at the same time, so that the time is
 * bounded by the lengths of text and pattern: for each step, it keeps where the earliest way that waits for it began.
 */
function findFirst(steps: readonly Step[], text: string): { start: number; end: number } | undefined {
  let found: { start: number; end: number } | undefined;
  let begun: number[] = [];
  for (let at = 0; at <= text.length; at++) {
    const isBoundary = !isWithinWord(text, at);
    if (found === undefined && isBoundary) begun[0] = Math.min(begun[0] ?? none, at);
    for (const [index, { isOptional }] of steps.entries())
      if (isOptional) begun[index + 1] = Math.min(begun[index + 1] ?? none, begun[index] ?? none);
    const start = begun[steps.length] ?? none;
    if (isBoundary && start <= (found?.start ?? at)) found = { start, end: at };
    const next: number[] = [];
    for (const [index, { letters, isRepeated }] of steps.entries()) {
      const from = begun[index] ?? none;
      if (from > (found?.start ?? at) || !letters.includes(text[at] ?? "\n")) continue;
      const place = isRepeated ? index : index + 1;
      next[place] = Math.min(next[place] ?? none, from);
    }
    if (found !== undefined && next.length === 0) return found;
    begun = next;
  }
  return found;
}

/** Returns whether a word goes on at this place. */
function isWithinWord(text: string, place: number): boolean {
  return isWordLetter(text[place - 1]) && isWordLetter(text[place]);
}

function isWordLetter(letter: string | undefined): boolean {
  return letter !== undefined && /[\p{L}\p{N}_]/u.test(letter);
}
