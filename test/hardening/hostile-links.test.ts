import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { splitLinks } from "#components/ui/split-links.ts";
import { contentSecurityPolicy } from "#lib/server/edge/http/surface-rules.ts";
import { safeCallbackPath } from "#lib/util/safe-callback-path.ts";

/** Argo CD GHSA-h4w9-6x78-8vrj, CVE-2026-45738: a link in an annotation ran as script on a click. */

const hostile = [
  "javascript:alert(1)",
  "JaVaScRiPt:alert(1)",
  " javascript:alert(1)",
  "java\nscript:alert(1)",
  "java\tscript:alert(1)",
  "\u0001javascript:alert(1)",
  "data:text/html,<script>alert(1)</script>",
  "vbscript:x",
  "blob:https://a.example/1",
  "file:///etc/passwd",
  "//evil.example",
  "\\\\evil.example",
  "https:evil.example",
  "https://bank.example@evil.example",
  'https://a.example/"onmouseover="alert(1)',
  "see [here](javascript:alert(1)) or <a href=javascript:alert(1)>there</a>",
];

describe("text from a cluster", () => {
  it.each(hostile)("%j gets no link but to http or https, and keeps every character", (text) => {
    const parts = splitLinks(text);
    expect(parts.map((part) => part.text).join("")).toBe(text);
    for (const { href } of parts) if (href !== undefined) expect(href).toMatch(/^https?:\/\/[^@"\s]+$/);
  });

  it("gets the link that it has", () => {
    expect(splitLinks("see https://runbook.example/a.").at(1)).toEqual({
      text: "https://runbook.example/a",
      href: "https://runbook.example/a",
    });
  });
});

describe("the address to go to after signing in", () => {
  it.each(hostile)("%j stays here", (text) => {
    expect(safeCallbackPath(text, "https://gatehouse.example")).toMatch(/^\/(?![/\\])/);
  });

  it.each([
    "/\\evil.example",
    "/%5Cevil.example",
    "/%5c%5cevil.example",
    "/%2f%2fevil.example",
    "/%2Fevil.example",
    "/%252f%252fevil.example",
    "/inbox//evil.example",
    "/./%2e//evil.example",
    "/inbox%0d%0aLocation:%20https:%2f%2fevil.example",
    "/inbox%00",
    "/\tinbox",
    "https://gatehouse.example//evil.example",
    "https://gatehouse.example@evil.example/",
    "/api/v1/audit/export",
    "/%61pi/v1/audit/export",
    "/hooks/x",
    "/_next/image?url=x",
    "/signin?callbackUrl=/inbox",
    "/%73ignin",
    "/metrics",
    "/%zz",
  ])("%j leads nowhere", (text) => {
    expect(safeCallbackPath(text, "https://gatehouse.example")).toBe("/");
  });

  it.each([
    "/inbox",
    "/rollouts/a/b/Rollout/c?tab=audit#x",
    "/releases?q=a%2Fb",
    "/audit?from=2026-01-01T00%3A00%3A00Z",
  ])("%s is a page of ours", (text) => {
    expect(safeCallbackPath(text, "https://gatehouse.example")).toBe(text);
  });

  it("is made by one rule: nobody else takes such an address apart", () => {
    const files = globSync("{app,components,lib}/**/*.{ts,tsx}", { cwd: join(import.meta.dirname, "../..") });
    const own = /callbackUrl/;
    const users = files.filter(
      (file) => !file.includes(".test.") && own.test(readFileSync(join(import.meta.dirname, "../..", file), "utf8")),
    );
    expect(users.toSorted()).toEqual([
      "app/(auth)/signin/page.tsx",
      "components/sign-in/sign-in-panel.tsx",
      "lib/client/session.ts",
      "lib/server/edge/http/handle-auth.ts",
      "lib/server/edge/http/require-page-actor.ts",
      "lib/server/people/auth/auth-options.ts",
    ]);
  });
});

describe("our own pages", () => {
  const root = join(import.meta.dirname, "../..");
  const sources = globSync("{app,components}/**/*.tsx", { cwd: root }).map((file) => ({
    file,
    text: readFileSync(join(root, file), "utf8"),
  }));

  it("put no text in as HTML", () => {
    expect(sources.length).toBeGreaterThan(50);
    const raw = /dangerouslySetInnerHTML|\.innerHTML|insertAdjacentHTML|document\.write/;
    expect(sources.filter(({ text }) => raw.test(text)).map(({ file }) => file)).toEqual([]);
  });

  it("make links of paths of their own, or through the one component for text from outside", () => {
    const own = /^(href|part\.href|[a-zA-Z]+Href\(.*|link\.href|item\.href)$/;
    const strange = sources.flatMap(({ file, text }) =>
      [...text.matchAll(/href=\{([^}]*)\}/g)]
        .map((match) => match[1] ?? "")
        .filter((expression) => !own.test(expression) && !/^(?:withBasePath\()?([`"][/#]|`\$\{path$)/.test(expression))
        .map((expression) => `${file}: ${expression}`),
    );
    expect(strange).toEqual([]);
  });

  it("run no script that is not theirs", () => {
    const policy = contentSecurityPolicy({ nonce: "n", formTargets: [] });
    expect(policy).not.toMatch(/script-src[^;]*('unsafe-inline'|'unsafe-eval'|https?:|\*|data:)/);
    for (const rule of ["object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"])
      expect(policy).toContain(rule);
  });
});
