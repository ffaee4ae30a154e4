import { type Part, parseRegex } from "./regex-parts.ts";

/** A text that grows: the pump is repeated between a prefix that leads to it and a suffix that makes the match fail. */
export type Attack = { prefix: string; pump: string; suffix: string };

export function buildText({ prefix, pump, suffix }: Attack, length: number): string {
  return prefix + pump.repeat(Math.max(1, Math.floor((length - prefix.length - suffix.length) / pump.length))) + suffix;
}

/** Letters and digits come first: of characters that a rule does not tell apart, the first stands for all. */
const alphabet = [
  ...Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)).sort(
    (one, other) => rank(one) - rank(other) || (one < other ? -1 : 1),
  ),
  ..."é\u00a0\u200b\u2028\uff1d",
  "😀",
];
/** A quantifier up to so many is a rule with a bound. */
const manyTimes = 16;
const mostOfFew = 12;
const mostSlices = 80;

function rank(character: string): number {
  if (/[a-z0-9]/.test(character)) return 0;
  return /[!-~]/.test(character) ? 1 : 2;
}

/**
 * Returns texts that could make a regular expression read the same characters again and again, made from its own parts:
 * each character that it tells apart, pairs of these, each run of its parts, and these after a text that leads to each
 * of its repetitions.
 */
export function listAttacks(regex: RegExp): Attack[] {
  const root = parseRegex(regex.source);
  const flags = regex.flags.replaceAll(/[gyd]/g, "");
  const characters = characterTests(root, flags);
  const reported = tellApart(characters);
  const few = tellApart(new Map([...characters].filter(([source]) => !/^\w$/.test(source)))).slice(0, mostOfFew);
  const witness = witnessOf(reported, characters);
  const none = reported.find((letter) => [...characters.values()].every((test) => !test.test(letter))) ?? "\u0000";
  const pairs = few.flatMap((one) => few.map((other) => one + other));
  const attacks = new Map<string, Attack>();
  const add = (prefix: string, pump: string, suffixes: readonly string[]) => {
    for (const suffix of pump === "" ? [] : suffixes)
      attacks.set(JSON.stringify([prefix, pump, suffix]), { prefix, pump, suffix });
  };

  for (const pump of [...reported, ...pairs, ...listSlices(root, witness)]) add("", pump, ["", none, "\n"]);
  for (const { body, before, after } of listRepeats(root, witness)) {
    const tests = [...characterTests(body, flags).values()];
    const inside = reported.filter((letter) => tests.some((test) => test.test(letter)));
    const suffixes = ["", none, ...few, after, after.slice(0, -1), after + none];
    for (const pump of [...inside, ...witnesses(body, witness), before + witness(body)]) add(before, pump, suffixes);
    for (const pump of pairs) add(before, pump, ["", none, after + none]);
  }
  return [...attacks.values()];
}

/** Returns a test for each character class, escape and literal, by its source. */
function characterTests(part: Part, flags: string): Map<string, RegExp> {
  const tests = new Map<string, RegExp>();
  visit(part, (one) => {
    if (one.kind === "character") tests.set(one.source, new RegExp(`^(?:${one.source})$`, flags));
  });
  return tests;
}

/** Returns one character for each set of characters that neither a part nor a word's boundary tells apart. */
function tellApart(characters: ReadonlyMap<string, RegExp>): string[] {
  const found = new Map<string, string>();
  for (const letter of alphabet) {
    const key = [/\w/, /\s/, ...characters.values()].map((test) => (test.test(letter) ? 1 : 0)).join("");
    if (!found.has(key)) found.set(key, letter);
  }
  return [...found.values()];
}

type Witness = (part: Part) => string;

/** Returns a short text that a part matches, if assertions do not matter. */
function witnessOf(reported: readonly string[], characters: ReadonlyMap<string, RegExp>): Witness {
  const witness = (part: Part): string => {
    if (part.kind === "character") {
      const test = characters.get(part.source);
      return reported.find((letter) => test?.test(letter)) ?? "";
    }
    if (part.kind === "sequence") return part.parts.map(witness).join("");
    if (part.kind === "choice") return part.options.map(witness).find((text) => text !== "") ?? "";
    if (part.kind === "repeat") return part.most < 1 ? "" : witness(part.body).repeat(Math.max(1, part.least));
    return "";
  };
  return witness;
}

/** Returns a text for each option of a part. */
function witnesses(part: Part, witness: Witness): string[] {
  if (part.kind === "choice") return part.options.flatMap((option) => witnesses(option, witness));
  const [only] = part.kind === "sequence" && part.parts.length === 1 ? part.parts : [];
  return only === undefined ? [witness(part)] : witnesses(only, witness);
}

/** Returns texts for neighbouring parts of each sequence. */
function listSlices(root: Part, witness: Witness): string[] {
  const slices = new Set<string>();
  visit(root, (part) => {
    if (part.kind === "choice") for (const text of witnesses(part, witness)) slices.add(text);
    if (part.kind !== "sequence") return;
    const texts = part.parts.map(witness);
    for (let length = texts.length; length > 0; length--)
      for (let from = 0; from + length <= texts.length; from++) slices.add(texts.slice(from, from + length).join(""));
  });
  return [...slices]
    .sort((one, other) => other.length - one.length)
    .filter((_, place, all) => keeps(place, all.length));
}

/** Keeps a fixed number of places, spread over all. */
function keeps(place: number, count: number): boolean {
  return (
    count <= mostSlices || Math.floor((place * mostSlices) / count) !== Math.floor(((place - 1) * mostSlices) / count)
  );
}

type Repeat = { body: Part; before: string; after: string };

/** Returns each part that is repeated often, with texts for the parts before and after it. */
function listRepeats(root: Part, witness: Witness): Repeat[] {
  const repeats: Repeat[] = [];
  const walk = (part: Part, before: string, after: string): void => {
    if (part.kind === "sequence") {
      const texts = part.parts.map(witness);
      for (const [place, one] of part.parts.entries())
        walk(one, before + texts.slice(0, place).join(""), texts.slice(place + 1).join("") + after);
    }
    if (part.kind === "choice") for (const option of part.options) walk(option, before, after);
    if (part.kind === "look") walk(part.body, before, after);
    if (part.kind !== "repeat") return;
    if (part.most >= manyTimes) repeats.push({ body: part.body, before, after });
    walk(part.body, before, after);
  };
  walk(root, "", "");
  return repeats;
}

function visit(part: Part, see: (part: Part) => void): void {
  see(part);
  if (part.kind === "sequence") for (const one of part.parts) visit(one, see);
  if (part.kind === "choice") for (const option of part.options) visit(option, see);
  if (part.kind === "repeat" || part.kind === "look") visit(part.body, see);
}
