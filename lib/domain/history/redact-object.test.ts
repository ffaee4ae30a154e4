import { describe, expect, it } from "vitest";
import { redactObject } from "./redact-object.ts";
import { redactText } from "./redact-text.ts";
import { isSecretName } from "./secret-names.ts";

const texts = [
  { name: "bearer", text: "got 401 with Bearer abc.def-123", result: "got 401 with Bearer [redacted]" },
  {
    name: "basic",
    text: 'header "Authorization: Basic dXNlcjpwYXNz"',
    result: 'header "Authorization: Basic [redacted]"',
  },
  { name: "basic as a word", text: "a basic check of tokens", result: "a basic check of tokens" },
  { name: "token as a word", text: "token exhausted", result: "token exhausted" },
  { name: "a placeholder", text: "Bearer {{args.token}}", result: "Bearer {{args.token}}" },
  {
    name: "userinfo",
    text: "Get http://oncall:s3cret@prom:9090/x: refused",
    result: "Get http://[redacted]@prom:9090/x: refused",
  },
  { name: "a mail address", text: "ask ops@example.test", result: "ask ops@example.test" },
  { name: "token in a query", text: "http://x/y?a=1&api_key=k1&b=2", result: "http://x/y?a=1&api_key=[redacted]&b=2" },
  {
    name: "several",
    text: "http://x/?token=a&password=b#c",
    result: "http://x/?token=[redacted]&password=[redacted]#c",
  },
  {
    name: "a harmless query",
    text: "http://x/?monkey=1&query=sum(rate(a[1m]))",
    result: "http://x/?monkey=1&query=sum(rate(a[1m]))",
  },
];

describe("redactText", () => {
  it.each(texts)("$name", ({ text, result }) => {
    expect(redactText(text)).toBe(result);
  });
});

const names = [
  ...["Authorization", "Proxy-Authorization", "Cookie", "X-Api-Key", "DD-API-KEY", "token", "api-token"].map(
    (name) => ({ name, secret: true }),
  ),
  ...["clientSecret", "DB_PASSWORD", "apiKey", "github_token", "personalApiKey"].map((name) => ({
    name,
    secret: true,
  })),
  ...["Content-Type", "tokenUrl", "secretKeyRef", "service-name", "monkey", "author", "tokens"].map((name) => ({
    name,
    secret: false,
  })),
];

describe("isSecretName", () => {
  it.each(names)("$name: $secret", ({ name, secret }) => {
    expect(isSecretName(name)).toBe(secret);
  });
});

const objects = [
  {
    name: "metadata",
    object: {
      metadata: {
        name: "a",
        managedFields: [{ manager: "kubectl" }],
        annotations: { "kubectl.kubernetes.io/last-applied-configuration": "{}", keep: "me" },
      },
    },
    result: { metadata: { name: "a", annotations: { keep: "me" } } },
  },
  {
    name: "provider headers",
    object: {
      provider: {
        web: {
          url: "https://u:p@x/y?token=t",
          headers: [
            { key: "Authorization", value: "Bearer abcdef" },
            { key: "X-Api-Key", value: "{{args.key}}" },
            { key: "Accept", value: "application/json" },
          ],
          authentication: { oauth2: { tokenUrl: "https://x", clientId: "id", clientSecret: "s" } },
        },
      },
    },
    result: {
      provider: {
        web: {
          url: "https://[redacted]@x/y?token=[redacted]",
          headers: [
            { key: "Authorization", value: "[redacted]" },
            { key: "X-Api-Key", value: "{{args.key}}" },
            { key: "Accept", value: "application/json" },
          ],
          authentication: { oauth2: { tokenUrl: "https://x", clientId: "id", clientSecret: "[redacted]" } },
        },
      },
    },
  },
  {
    name: "arguments",
    object: {
      args: [
        { name: "key", value: "resolved", valueFrom: { secretKeyRef: { name: "s", key: "k" } } },
        { name: "api-token", value: "literal" },
        { name: "service", value: "shop" },
        { name: "threshold", value: "0" },
      ],
    },
    result: {
      args: [
        { name: "key", valueFrom: { secretKeyRef: { name: "s", key: "k" } } },
        { name: "api-token", value: "[redacted]" },
        { name: "service", value: "shop" },
        { name: "threshold", value: "0" },
      ],
    },
  },
  {
    name: "environment variables and other values",
    object: { containers: [{ image: "a:1", env: [{ name: "DB_PASSWORD", value: "p" }], n: 0, on: false, none: null }] },
    result: {
      containers: [{ image: "a:1", env: [{ name: "DB_PASSWORD", value: "[redacted]" }], n: 0, on: false, none: null }],
    },
  },
];

describe("redactObject", () => {
  it.each(objects)("$name", ({ object, result }) => {
    const before = structuredClone(object);
    expect(redactObject(object)).toEqual(result);
    expect(object).toEqual(before);
  });
});
