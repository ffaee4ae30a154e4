import fc from "fast-check";
import { expect, it } from "vitest";
import { redactWithSecrets } from "./redact-object.ts";
import { hideSecrets } from "./redact-text.ts";

const secrets = Array.from({ length: 500 }, (_, index) => `${index}-secret-${index * 7}`);
const few = [...secrets.slice(0, 10)];

it.each([
  { text: "", hidden: "" },
  { text: "x", hidden: "x" },
  { text: "a 0-secret-0 b", hidden: "a [redacted] b" },
  { text: "4-secret-28", hidden: "[redacted]" },
  { text: "4-secret-2", hidden: "4-secret-2" },
  { text: "3-secret-213-secret-21", hidden: "[redacted][redacted]" },
  { text: "http://x/?a=9-secret-63&b=5-secret-35", hidden: "http://x/?a=[redacted]&b=[redacted]" },
])("hides a secret among many as among few: $text", ({ text, hidden }) => {
  expect([hideSecrets(text, few), hideSecrets(text, secrets)]).toEqual([hidden, hidden]);
});

it("hides the longest of those that begin alike, as they are ordered", () => {
  const alike = [...Array.from({ length: 50 }, (_, index) => "token-".padEnd(60 - index, "z"))];
  expect(hideSecrets(`got ${alike[0]}, ${alike[20]} and ${alike[49]}`, alike)).toBe(
    "got [redacted], [redacted] and [redacted]",
  );
});

it("compares a text with few of an object's many secrets", () => {
  const looked: string[] = [];
  const watched = new Proxy(secrets, {
    get(target, key, receiver) {
      if (typeof key === "string" && /^\d+$/.test(key)) looked.push(key);
      return Reflect.get(target, key, receiver);
    },
  });
  hideSecrets("the first look keeps what they begin with", watched);
  looked.length = 0;
  expect(hideSecrets("a 77-secret-539 b", watched)).toBe("a [redacted] b");
  expect(looked.length).toBeLessThan(5);
});

it("is how an object's own secrets go from all of its texts", () => {
  const headers = secrets.map((value) => ({ key: "Authorization", value }));
  const { value } = redactWithSecrets({ headers, notes: secrets.map((secret) => `sent ${secret}`) });
  expect(value).toEqual({
    headers: secrets.map(() => ({ key: "Authorization", value: "[redacted]" })),
    notes: secrets.map(() => "sent [redacted]"),
  });
});

const sign = "\u0001";

/** Looks for each secret at each place, and hides all that overlap as one. */
function hideOneByOne(text: string, words: readonly string[]): string {
  const places = words
    .flatMap((word) =>
      Array.from({ length: text.length }, (_, start) => ({ start, end: start + word.length })).filter(({ start }) =>
        text.startsWith(word, start),
      ),
    )
    .toSorted((one, other) => one.start - other.start || other.end - one.end);
  let shown = "";
  let end = 0;
  for (const place of places) {
    if (place.start >= end) shown += text.slice(end, place.start) + sign;
    end = Math.max(end, place.end);
  }
  return shown + text.slice(end);
}

it("hides all secrets of any text, however they overlap, and nothing else", () => {
  const letter = fc.constantFrom("a", "b", "/", "%", "2", "F", "é", "\u{1f511}");
  const text = fc.string({ unit: letter, maxLength: 30 });
  const words = fc.array(fc.string({ unit: letter, minLength: 1, maxLength: 5 }), { maxLength: 6 });
  fc.assert(
    fc.property(text, words, (given, hidden) => {
      const shown = hideSecrets(given, hidden, sign);
      expect(shown).toBe(hideOneByOne(given, hidden));
      for (const part of shown.split(sign)) for (const word of hidden) expect(part).not.toContain(word);
    }),
    { numRuns: 5000, seed: 20261127 },
  );
});
