import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { splitLinks } from "#components/ui/split-links.ts";
import { safeCallbackPath } from "#lib/server/auth/safe-callback-path.ts";
import { contentSecurityPolicy } from "#lib/server/http/surface-rules.ts";

/** Argo CD GHSA-h4w9-6x78-8vrj, CVE-2026-45738: a link in an annotation ran as script when somebody clicked it. */

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
        .filter((expression) => !own.test(expression) && !/^([`"]\/|`\$\{path$)/.test(expression))
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
