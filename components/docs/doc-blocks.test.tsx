import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { MantineProvider } from "@mantine/core";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { renderDoc } from "#components/docs/doc-blocks.tsx";
import { docAddress, docFileAt } from "#lib/util/doc-address.ts";
// @ts-expect-error -- plain JavaScript without types, as all scripts.
import { listAnchors } from "../../scripts/doc-paths.mjs";

const folder = join(import.meta.dirname, "../../docs");
const files = globSync(["*.md", "adr/*.md"], { cwd: folder });
const read = (file: string) => readFileSync(join(folder, file), "utf8");

function render(text: string, file = "page.md"): string {
  const { blocks } = renderDoc({ file, text });
  return renderToStaticMarkup(<MantineProvider>{blocks}</MantineProvider>).replaceAll(
    /<style[^>]*>.*?<\/style>|<script data-mantine-script.*?<\/script>/gs,
    "",
  );
}

const idsOf = (html: string) => [...html.matchAll(/<h\d id="([^"]*)"/g)].map(([, id]) => id);
const linksOf = (html: string) =>
  [...html.matchAll(/<(?:a|img)\b[^>]*\s(?:href|src)="([^"]*)"/g)].map(([, href = ""]) => href);

describe.each(files)("%s", (file) => {
  const text = read(file);
  const html = render(text, file);

  it("has one title, and its headings have the anchors that its links are checked against", () => {
    expect(html.match(/<h1 /g)).toHaveLength(1);
    expect(idsOf(html)).toEqual(listAnchors(text));
    expect(html).not.toMatch(/<h\d[^>]*>(?:(?!<\/h).)*<a(?! class="[^"]*" href="#)/);
  });

  it("links to nothing of ours that is not served", () => {
    const fixed = ["/docs", "/docs/api", "/docs/adr", "/api/v1/openapi.json"];
    const isServed = (href: string) => {
      const [path = "", anchor] = href.split("#");
      if (fixed.includes(path)) return anchor === undefined;
      if (path.startsWith("/docs/images/")) return existsSync(join(folder, path.slice("/docs/".length)));
      const target = path === "" ? file : docFileAt(path.split("/").slice(2));
      if (target === undefined || !existsSync(join(folder, target))) return false;
      return anchor === undefined || listAnchors(read(target)).includes(anchor);
    };
    expect(linksOf(html).filter((href) => !/^https?:/.test(href) && !isServed(href))).toEqual([]);
  });

  it("holds nothing that would be shown as its source", () => {
    const words = html.replaceAll(/<(pre|code)\b.*?<\/\1>/gs, "");
    // Tags, character references, and brackets or stars that are not parsed as Markdown.
    expect(words.match(/&lt;\/?[a-z]|&amp;[a-z]+;|\]\(|\*\*/g)).toBeNull();
  });
});

it("gives every page an address of its own", () => {
  expect(new Set(files.map(docAddress)).size).toBe(files.length);
  // These belong to the API reference, the pictures and the list of decisions.
  expect(files.map(docAddress).filter((path) => /^\/docs\/(api|images|adr)$/.test(path))).toEqual([]);
});

describe("what could become a script", () => {
  it.each([
    "<script>alert(1)</script>",
    "text <script>alert(1)</script> text",
    "<img src=x onerror=alert(1)>",
    "a <img src=x onerror=alert(1)> b",
    '<a href="javascript:alert(1)">a</a>',
    "[a](javascript:alert(1))",
    "[a](<java\tscript:alert(1)>)",
    "[a](data:text/html,x)",
    "![a](javascript:alert(1))",
    "![a](https://elsewhere.example.com/x.png)",
    '![a](x.png" onerror="alert(1))',
    "| a |\n|---|\n| <script>alert(1)</script> |",
    '```sh"><script>alert(1)</script>\nx\n```',
    "# <script>alert(1)</script>",
    "<details><summary onclick=alert(1)>a</summary></details>",
    '<iframe srcdoc="x"></iframe>',
  ])("%s is text", (text) => {
    const html = render(text);
    const tags = [...html.matchAll(/<[^>]*>/g)].map(([tag]) => tag);
    expect(tags.filter((tag) => /^<(script|img|iframe|details)|\son[a-z]+=|(href|src)="(?!#)/i.test(tag))).toEqual([]);
  });

  it("is shown as it is written", () => {
    expect(render("a <b>c</b>")).toBe("<p>a &lt;b&gt;c&lt;/b&gt;</p>");
  });
});

it("shows links, code, lists and tables", () => {
  const html = render(
    "- [a](inbox.md#order)\n- [b](https://example.com)\n\n3. c\n\n| x |\n|---|\n| `a \\| b` |\n\n```sh\nls\n```\n\n`/docs/api`",
  );
  expect(html).toContain('<a href="/docs/inbox#order">a</a>');
  expect(html).toContain('<a href="https://example.com" rel="noreferrer">b</a>');
  expect(html).toContain('<ol start="3">');
  expect(html).toContain("<code>a | b</code>");
  expect(html).toContain('aria-label="Commands 1"');
  expect(html).toContain('<a href="/docs/api"><code>/docs/api</code></a>');
});

it("says the path of what is not served", () => {
  expect(render("[the chart](../deploy/chart/README.md)")).toBe(
    "<p>the chart (<code>deploy/chart/README.md</code> in the source code)</p>",
  );
  expect(render("[SECURITY.md](../SECURITY.md)")).toContain('<span title="SECURITY.md, in the source code">');
});
