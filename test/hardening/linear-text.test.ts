import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { findGrowth, findPlanted } from "./growth.ts";
import { type FoundRegex, findRegexes, listProductFiles, readSource, root } from "./product-regexes.ts";
import { listAttacks } from "./regex-attacks.ts";
import { attacksOn, findTextFunctions, functionsOf, worksOf } from "./text-functions.ts";

// Text from clusters, controllers and people is as long as its sender likes, and is read on the event loops. Whatever
// reads it takes at most twice as long for twice as much: every regular expression of the product is held to that, and
// every function that takes a text and does nothing else than to compute.

/** Functions with another text that is ours. */
const ours: Readonly<Record<string, string>> = {
  "lib/domain/policy/list-grants.ts intersectPatterns": "Both are patterns of the config.",
  "lib/domain/policy/list-grants.ts intersectScopes": "Both are patterns of the config.",
  "lib/domain/policy/match-glob.ts matchesAny":
    "The patterns are of the config, or of a credential: at most 63 characters.",
  "lib/domain/policy/rights.ts isInScope": "The patterns are of the config.",
  "lib/domain/units/find-unit.ts findUnit": "The patterns are of the config.",
};
/** An attack on an expression may repeat a whole sentence. */
const greatest = { regex: 131_072, function: 65_536 };
const timeout = 240_000;

function findGrowthOfRegex({ regex, splits }: Pick<FoundRegex, "regex" | "splits">): string | undefined {
  // Splitting a text means finding all matches of the expression.
  const used = splits && !regex.global ? new RegExp(regex.source, `${regex.flags}g`) : regex;
  const work = (text: string) => {
    used.lastIndex = 0;
    return used.global ? text.replace(used, "") : used.exec(text);
  };
  return findGrowth([work], listAttacks(used), greatest.regex);
}

type Planted = (...values: never[]) => unknown;

function findGrowthOfPlanted(text: string, planted: Planted): (string | undefined)[] {
  const source = ts.createSourceFile("planted.ts", text, ts.ScriptTarget.Latest, true);
  const call = (...values: unknown[]) => planted(...(values as never[]));
  return functionsOf(source).map((one) => findGrowth(worksOf(one, call), attacksOn(source), greatest.function));
}

describe("regular expressions", () => {
  const regexes = listProductFiles().flatMap((file) => findRegexes(readSource(file)));

  it("of the product take twice as long for a text of twice the length", { timeout }, async () => {
    expect(regexes.length).toBeGreaterThan(450);
    const slow: string[] = [];
    for (const found of regexes) {
      const growth = findGrowthOfRegex(found);
      if (growth !== undefined) slow.push(`${found.place} ${found.regex} ${growth}`);
      await setImmediate();
    }
    expect(slow).toEqual([]);
  });

  it.each([
    // Each of these was in the product.
    /\b(hooks\.[\w.-]+\/)[^\s"'<>]+/gi,
    /(?<updated>\d+) out of (?<wanted>\d+) new (?:replicas|pods) have been updated/,
    /[A-Za-z_:][\w:]*(?!\s*\()(?![\w:])/g,
    /[.,;:!?)\]]+$/,
    /\b(?:localhost|[a-z](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9-]+)+):\d{2,5}\b/gi,
    /Metric "(?<name>.+?)" assessed \w+ due to (?<what>\w+) \((?<count>\d+)\) > \w+ \((?<limit>\d+)\)(?:: (?<more>.+))?$/s,
    /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i,
    // Exponential.
    /(?<![\w:])(?:[0-9a-f]{1,4}:)*:(?::?[0-9a-f]{1,5})*(?![\w:])(?<=::.*)/gi,
    /^(?:a+)+$/,
    /(?<=x.*)y/g,
  ])("would be found: %s", { timeout }, async (regex) => {
    const growth = await findPlanted(
      () => findGrowthOfRegex({ regex, splits: false }),
      (found) => found !== undefined,
    );
    expect(growth).toBeDefined();
  });

  it.each([
    /(?<!\d)(?<updated>\d+) out of (?<wanted>\d+) new/,
    /(?<![.,])[.,]+$/,
    /^\S+-primary\.[^\s.]+ not ready: .*$/s,
    /a{1,250}b/g,
  ])("may pass: %s", { timeout }, (regex) => {
    expect(findGrowthOfRegex({ regex, splits: false })).toBeUndefined();
  });

  it("are found where they are written, and where they are made of constants", () => {
    const text =
      "const w = String.raw`\\d+`;\nconst s = `\u0024{w}x`;\nf(/a*/g, new RegExp(`(\u0024{s})` + '$', 'i'), t.split(/b/));";
    const source = ts.createSourceFile("planted.ts", text, ts.ScriptTarget.Latest, true);
    expect(findRegexes(source)).toEqual([
      { place: "planted.ts:3", regex: /a*/g, splits: false },
      { place: "planted.ts:3", regex: /(\d+x)$/i, splits: false },
      { place: "planted.ts:3", regex: /b/, splits: true },
    ]);
  });
});

describe("functions that take a text", () => {
  const functions = findTextFunctions();
  const isGrowing = (found: (string | undefined)[]) => found.some((growth) => growth !== undefined);
  const nameOf = ({ file, name }: { file: string; name: string }) => `${file} ${name}`;

  it("take twice as long for a text of twice the length", { timeout }, async () => {
    expect(functions.length).toBeGreaterThan(500);
    const slow: string[] = [];
    for (const one of functions.filter((found) => !found.slots.hasObjects && !(nameOf(found) in ours))) {
      const module: Record<string, unknown> = await import(join(root, one.file));
      const found = module[one.name];
      if (typeof found !== "function") throw new Error(`${nameOf(one)} is no function`);
      const call = (...values: unknown[]): unknown => found(...values);
      const growth = findGrowth(worksOf(one, call), attacksOn(readSource(one.file)), greatest.function);
      if (growth !== undefined) slow.push(`${nameOf(one)} ${growth}`);
      await setImmediate();
    }
    expect(slow).toEqual([]);
  });

  it("include those that read what clusters say, and each that is left out", () => {
    const names = functions.map(nameOf);
    expect(names).toEqual(
      expect.arrayContaining([
        "components/ui/split-links.ts splitLinks",
        "lib/domain/flagger/events/parse-message.ts parseMessage",
        "lib/domain/storable/escape-text.ts escapeText",
        "lib/domain/storable/redact-text.ts hideAddresses",
        "lib/domain/storable/redact-object.ts redactObject",
        "lib/domain/storable/redact-text.ts hideSecrets",
        "lib/domain/storable/redact-text.ts redactText",
        "lib/domain/units/find-unit.ts readPromqlUnit",
        "lib/util/text.ts cleanName",
      ]),
    );
    expect(Object.keys(ours).filter((name) => !names.includes(name))).toEqual([]);
  });

  it("would be found, if each secret is looked for by itself", { timeout }, async () => {
    const text = "export function hide(text: string, secrets: readonly string[]): string { return f(text, secrets); }";
    const hide = (shown: string, secrets: readonly string[]) =>
      secrets.reduce((rest, secret) => rest.replaceAll(secret, "*"), shown);
    expect(await findPlanted(() => findGrowthOfPlanted(text, hide), isGrowing)).toEqual([
      expect.stringContaining("times as long"),
    ]);
  });

  it("would be found, if each place looks at all behind it, also within an object", { timeout }, async () => {
    const text = "type Said = { text: string };\nexport function count({ text }: Said): number { return f(text); }";
    // A class of characters, since a search for one character is too fast to stand out in a short text.
    const count = ({ text: said }: { text: string }) =>
      Array.from(said).filter((_, at) => /[)\]]/.test(said.slice(at))).length;
    expect(await findPlanted(() => findGrowthOfPlanted(text, count), isGrowing)).toEqual([
      expect.stringContaining("times as long"),
    ]);
  });

  it("may take both lengths together", { timeout }, () => {
    const text = "export function join(one: string, other: string): string { return f(one, other); }";
    expect(findGrowthOfPlanted(text, (one: string, other: string) => one + other)).toEqual([undefined]);
  });
});
