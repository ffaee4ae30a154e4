import { expect, it } from "vitest";
import { readAnnotationLinks } from "./annotation-links.ts";

const one = (value: string, key = "gatehouse.dev/link.runbook") => readAnnotationLinks({ [key]: value });

it("reads links by name, sorted, and nothing else", () => {
  expect(
    readAnnotationLinks({
      "gatehouse.dev/link.runbook": " https://wiki.example.com/r?a=1 ",
      "gatehouse.dev/link.Dashboard-2": "http://g.example",
      "gatehouse.dev/links.other": "https://a.example",
      "example.com/link.other": "https://a.example",
    }),
  ).toEqual([
    { name: "Dashboard-2", href: "http://g.example/" },
    { name: "runbook", href: "https://wiki.example.com/r?a=1" },
  ]);
});

it.each([
  "javascript:alert(1)",
  "JavaScript://example.com/%0aalert(1)",
  "data:text/html,x",
  "//evil.example",
  "https://user@evil.example",
  "https://bank.example\\@evil.example",
  "https://a.example/\u202egnp.exe",
  "https://a.example/ b",
  "https://a.example/\u0000",
  "https://",
  "",
  `https://a.example/${"x".repeat(2000)}`,
])("leaves out %j", (value) => {
  expect(one(value)).toEqual([]);
});

it.each(["", ".hidden", "a b", "<img>", "\u202ex", "x".repeat(64)])("leaves out the name %j", (name) => {
  expect(one("https://a.example", `gatehouse.dev/link.${name}`)).toEqual([]);
});

it("keeps ten of many", () => {
  const many = Object.fromEntries(
    Array.from({ length: 12 }, (_, at) => [`gatehouse.dev/link.l${10 + at}`, "https://a.example"]),
  );
  expect(readAnnotationLinks(many).map(({ name }) => name)).toEqual(
    Array.from({ length: 10 }, (_, at) => `l${10 + at}`),
  );
});
