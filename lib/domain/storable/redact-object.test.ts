import { describe, expect, it } from "vitest";
import { isSecretName, redactObject, redactTextOf } from "./redact-object.ts";
import { redactText } from "./redact-text.ts";

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
    name: "Go's headers",
    text: "map[Authorization:[Bearer abc.def] X-Api-Key:[kk-12345] Accept:[*/*]]",
    result: "map[Authorization:[Bearer [redacted]] X-Api-Key:[[redacted]] Accept:[*/*]]",
  },
  { name: "another scheme", text: "Authorization: sso-key abc:def", result: "Authorization: [redacted]" },
  { name: "a cookie", text: "Set-Cookie: a=b; sid=1", result: "Set-Cookie: [redacted]" },
  { name: "prose about a header", text: "Authorization: missing", result: "Authorization: missing" },
  { name: "a flag", text: "serve --password=hunter -v", result: "serve --password=[redacted] -v" },
  { name: "an assignment", text: "DB_TOKEN=abc x", result: "DB_TOKEN=[redacted] x" },
  { name: "JSON", text: '{"password":"hunter","n":1}', result: '{"password":"[redacted]","n":1}' },
  { name: "a null in JSON", text: '{"password":null}', result: '{"password":null}' },
  { name: "a token that the parser met", text: "unexpected token: name", result: "unexpected token: name" },
  { name: "a Secret that is missing", text: 'secret "shop-db" not found', result: 'secret "shop-db" not found' },
  { name: "a label of PromQL", text: 'up{auth="none"} by (token)', result: 'up{auth="none"} by (token)' },
  { name: "a JWT", text: "got eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0x.c2ln1", result: "got [redacted]" },
  { name: "an AWS key", text: "key AKIAIOSFODNN7EXAMPLE!", result: "key [redacted]!" },
  { name: "a GitHub token", text: `x ghp_${"a1".repeat(18)}`, result: "x [redacted]" },
  {
    name: "a private key",
    text: "a\n-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\nb",
    result: "a\n[redacted]\nb",
  },
  {
    name: "a chat's hook",
    text: "POST https://hooks.slack.com/services/T0/B0/x: 404",
    result: "POST https://hooks.slack.com/[redacted] 404",
  },
  {
    name: "a signed URL",
    text: "s3/x?X-Amz-Credential=c&X-Amz-Signature=s&n=1",
    result: "s3/x?X-Amz-Credential=[redacted]&X-Amz-Signature=[redacted]&n=1",
  },
  {
    name: "placeholders in a URL",
    text: "http://{{args.u}}:{{args.p}}@x/?token={{args.t}}",
    result: "http://{{args.u}}:{{args.p}}@x/?token={{args.t}}",
  },
  {
    name: "a harmless query",
    text: "http://x/?monkey=1&query=sum(rate(a[1m]))",
    result: "http://x/?monkey=1&query=sum(rate(a[1m]))",
  },
];

describe("redactText", () => {
  it.each(texts)("$name: stays as it is the second time", ({ result }) => {
    expect(redactText(result)).toBe(result);
  });

  it.each(texts)("$name", ({ text, result }) => {
    expect(redactText(text)).toBe(result);
  });
});

describe("redactText of long texts", () => {
  const parts = [
    "a-",
    "a.",
    "eyJ-",
    "a://",
    "?a",
    "&a_",
    "token ",
    "basic ",
    "1",
    "token=",
    "Cookie:",
    "-----BEGIN PRIVATE KEY-----",
  ];
  // Each takes milliseconds; quadratic work would take minutes.
  it.each(parts)("made of %s ends in time", (part) => {
    const begin = performance.now();
    redactText(`token: ${part.repeat(400_000 / part.length)}`);
    expect(performance.now() - begin).toBeLessThan(10_000);
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
    name: "a header of any name, but those that are known to hold none",
    object: {
      headers: [
        { key: "X-Shop", value: "x1" },
        { key: "Accept", value: "a/b" },
      ],
    },
    result: {
      headers: [
        { key: "X-Shop", value: "[redacted]" },
        { key: "Accept", value: "a/b" },
      ],
    },
  },
  {
    name: "headers with their names as keys, and those of probes",
    object: { headers: { "X-Shop": "x1", Accept: "a/b" }, httpHeaders: [{ name: "X-Shop", value: "x1" }] },
    result: {
      headers: { "X-Shop": "[redacted]", Accept: "a/b" },
      httpHeaders: [{ name: "X-Shop", value: "[redacted]" }],
    },
  },
  {
    name: "annotations: copies, names, and JSON in them",
    object: {
      annotations: {
        "x.example/last-applied": "p",
        "x.example/api-token": "p",
        "x.example/spec": '{"env":[{"name":"PASSWORD","value":"p"}],"n":1}',
        "x.example/broken": "{not JSON",
      },
    },
    result: {
      annotations: {
        "x.example/api-token": "[redacted]",
        "x.example/spec": '{"env":[{"name":"PASSWORD","value":"[redacted]"}],"n":1}',
        "x.example/broken": "{not JSON",
      },
    },
  },
  {
    name: "names that only a variable has",
    object: {
      env: [
        { name: "TOKEN_VALUE", value: "a" },
        { name: "KEY", value: "b" },
      ],
      args: [{ name: "max-token-count", value: "5" }],
    },
    result: {
      env: [
        { name: "TOKEN_VALUE", value: "[redacted]" },
        { name: "KEY", value: "[redacted]" },
      ],
      args: [{ name: "max-token-count", value: "5" }],
    },
  },
  {
    name: "the word behind a flag",
    object: { args: ["--token", "p", "--verbose", "--api-key", "--x"] },
    result: { args: ["--token", "[redacted]", "--verbose", "--api-key", "--x"] },
  },
  {
    name: "numbers under such a name, but no booleans",
    object: { password: 12345, automountServiceAccountToken: false },
    result: { password: "[redacted]", automountServiceAccountToken: false },
  },
  {
    name: "what is known to be secret, wherever else it stands",
    object: { args: [{ name: "token", value: "hunter22" }], query: "up{a='hunter22'}", list: ["x hunter22 y"] },
    result: {
      args: [{ name: "token", value: "[redacted]" }],
      query: "up{a='[redacted]'}",
      list: ["x [redacted] y"],
    },
  },
  {
    name: "short words and numbers, only where they stand",
    object: {
      args: [
        { name: "token", value: "abc" },
        { name: "secret", value: "1234567" },
      ],
      note: "abc 1234567",
    },
    result: {
      args: [
        { name: "token", value: "[redacted]" },
        { name: "secret", value: "[redacted]" },
      ],
      note: "abc 1234567",
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

  it.each([
    ["too deep", `${"[".repeat(50_000)}{"password":"hunter2-hunter2"}${"]".repeat(50_000)}`],
    ["too long", `[${"0,".repeat(150_000)}{"password":"hunter2-hunter2"}]`],
    ["both", `[${"0,".repeat(150_000)}${"[".repeat(50_000)}{"password":"hunter2-hunter2"}${"]".repeat(50_001)}`],
  ])("redacts a document in an annotation that is %s as a text", (_, note) => {
    const object = { metadata: { annotations: { note } } };
    const expected = note.replace("hunter2-hunter2", "[redacted]");
    expect(redactObject(object)).toEqual({ metadata: { annotations: { note: expected } } });
  });
});

describe("redactTextOf", () => {
  const env = [{ name: "DB_PASSWORD", value: "plain-words" }];

  it("hides the object's own secrets", () => {
    expect(redactTextOf({ env }, "refused plain-words")).toBe("refused [redacted]");
    expect(redactTextOf({ env }, "")).toBe("");
  });

  it("shows nothing of an object that is too large to be searched", () => {
    const text = redactTextOf({ env, note: "x".repeat(600_000) }, "refused plain-words");
    expect(text).toContain("not shown");
    expect(text).not.toContain("plain-words");
  });
});
