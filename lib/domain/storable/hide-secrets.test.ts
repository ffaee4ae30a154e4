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
