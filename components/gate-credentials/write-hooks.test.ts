import { describe, expect, it } from "vitest";
import { allHooks, parseNamespaces, writeHooks } from "./write-hooks.ts";

describe("writeHooks", () => {
  const url = "https://gatehouse.example.com";

  it("writes a hook per type, with the credential as user and password", () => {
    const types = ["confirm-promotion", "event"];
    expect(writeHooks({ url, cluster: "prod-eu", types, credential: { id: "a", secret: "b" } })).toBe(`spec:
  analysis:
    webhooks:
      - name: gatehouse-confirm-promotion
        type: confirm-promotion
        url: https://a:b@gatehouse.example.com/hooks/flagger/prod-eu/confirm-promotion
      - name: gatehouse-event
        type: event
        url: https://a:b@gatehouse.example.com/hooks/flagger/prod-eu/event`);
  });

  it("leaves placeholders as long as there is no credential", () => {
    const yaml = writeHooks({ url: "http://127.0.0.1:7460", cluster: "demo", types: allHooks });
    expect(yaml.match(/url: http:\/\/ID:SECRET@127\.0\.0\.1:7460\/hooks\/flagger\/demo\//g)).toHaveLength(5);
  });
});

describe("parseNamespaces", () => {
  it.each([
    { text: "payments", patterns: ["payments"] },
    { text: " payments, team-*\nshop ", patterns: ["payments", "team-*", "shop"] },
    { text: "*", patterns: ["*"] },
    { text: "", patterns: undefined },
    { text: " , ", patterns: undefined },
    { text: "Payments", patterns: undefined },
    { text: "payments,a/b", patterns: undefined },
    { text: "x".repeat(64), patterns: undefined },
  ])("reads $text", ({ text, patterns }) => {
    expect(parseNamespaces(text)).toEqual(patterns);
  });
});
