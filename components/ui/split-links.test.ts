import { describe, expect, it } from "vitest";
import { splitLinks } from "#components/ui/split-links.ts";

describe("splitLinks", () => {
  it.each([
    { text: "", parts: [] },
    { text: "no link", parts: [{ text: "no link" }] },
    {
      text: "see https://a.example/x?y=1.",
      parts: [{ text: "see " }, { text: "https://a.example/x?y=1", href: "https://a.example/x?y=1" }, { text: "." }],
    },
    { text: "javascript:alert(1)", parts: [{ text: "javascript:alert(1)" }] },
    { text: "data:text/html,x", parts: [{ text: "data:text/html,x" }] },
    { text: "https://bank.example@evil.example/", parts: [{ text: "https://bank.example@evil.example/" }] },
    {
      text: "<a href='http://a.example'>",
      parts: [{ text: "<a href='" }, { text: "http://a.example", href: "http://a.example/" }, { text: "'>" }],
    },
  ])("takes $text apart", ({ text, parts }) => {
    expect(splitLinks(text)).toEqual(parts);
  });
});
