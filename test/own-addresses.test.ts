import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { describe, expect, it } from "vitest";

// Gatehouse may be served below a path (docs/adr/0017): an address that the browser opens by itself is made by
// lib/client/base-path.ts. Next's links and router add the path of their own accord, and must not get it twice.

const root = join(import.meta.dirname, "..");
/** Functions that make such an address. */
const makers = ["withBasePath", "ownUrl", "docHref", "listExportHref", "runExportHref"];
/** Of the documentation's addresses, by names of their own. */
const documents = ["docOfPageHref", "ruleHref", "helpHref"];
/** Functions that make an anchor in the open page. */
const anchors = ["metricHref"];
/** Each opens an address that is not one of our paths, or one that the caller has made. */
const others: Record<string, string[]> = {
  "components/docs/doc-blocks.tsx": ["href"],
  "components/ui/link-list.tsx": ["href"],
  "components/ui/hostile-text.tsx": ["part.href"],
  "lib/client/session.ts": ["url"],
  "lib/client/request.ts": ["address"],
};
const opening = /(?:^|\.)(?:fetch|sendBeacon|location\.(?:assign|replace)|window\.open|open\.window)$/;
const openingClasses = ["EventSource", "WebSocket", "Worker", "SharedWorker", "Request"];
const routing = /(?:^|\.)(?:redirect|permanentRedirect|router\.(?:push|replace|prefetch))$/;
const plainElements = ["a", "img", "form", "iframe", "link", "script", "source", "video", "Anchor"];
const addressAttributes = ["href", "src", "action", "formAction", "poster"];

/** Returns the wrong addresses of a source file, as `line: text`. */
function findWrongAddresses(file: string, text: string): string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const wrong: string[] = [];
  const say = (node: ts.Node) => {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart());
    wrong.push(`${line + 1}: ${node.getText().replaceAll(/\s+/g, " ")}`);
  };
  const has = (node: ts.Node, names: readonly string[]): boolean =>
    (ts.isCallExpression(node) && names.includes(node.expression.getText())) ||
    (ts.forEachChild(node, (child) => has(child, names) || undefined) ?? false);
  const isAnchor = (node: ts.Node): boolean => /^["'`{]*#/.test(node.getText()) || has(node, anchors);
  const isOwn = (node: ts.Node): boolean =>
    has(node, [...makers, ...documents]) || isAnchor(node) || (others[file] ?? []).includes(node.getText());
  const checkPlain = (node: ts.Node | undefined) => {
    if (node !== undefined && !isOwn(node)) say(node);
  };
  const checkRouted = (node: ts.Node | undefined) => {
    if (node !== undefined && has(node, makers)) say(node);
  };

  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const called = node.expression.getText().replaceAll("?.", ".");
      if (opening.test(called)) checkPlain(node.arguments[0]);
      if (routing.test(called)) checkRouted(node.arguments[0]);
    }
    if (ts.isNewExpression(node)) {
      const [first] = node.arguments ?? [];
      if (openingClasses.includes(node.expression.getText())) checkPlain(first);
      // Resolves below the origin, or below the base up to its last slash.
      if (node.expression.getText() === "URL" && first !== undefined && /^["'`]\/(?!\/)/.test(first.getText()))
        say(node);
    }
    if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken) {
      if (/location(?:\.href)?$/.test(node.left.getText())) checkPlain(node.right);
    }
    if (ts.isJsxOpeningElement(node) || ts.isJsxSelfClosingElement(node)) checkElement(node);
    // A file of public/, however it is loaded.
    if (
      ts.isStringLiteral(node) &&
      /^\/(?!api\/)[\w./-]+\.(?:svg|png|ico|js|json|css|woff2|webmanifest)$/.test(node.text)
    ) {
      const { parent } = node;
      if (!(ts.isCallExpression(parent) && makers.concat("request").includes(parent.expression.getText()))) say(node);
    }
    ts.forEachChild(node, visit);
  };

  function checkElement(element: ts.JsxOpeningElement | ts.JsxSelfClosingElement): void {
    const attributes = element.attributes.properties.filter(ts.isJsxAttribute);
    const initialOf = (name: string) => attributes.find((attribute) => attribute.name.getText() === name)?.initializer;
    const component = initialOf("component")?.getText();
    const isPlain =
      component === undefined
        ? plainElements.includes(element.tagName.getText())
        : /^["'{]*["']?a["'}]/.test(component);
    for (const name of addressAttributes) {
      const value = initialOf(name);
      const expression = value !== undefined && ts.isJsxExpression(value) ? value.expression : value;
      if (isPlain) checkPlain(expression);
      else if (name === "href") checkRouted(expression);
    }
  }

  visit(source);
  return wrong;
}

describe("the addresses that the browser opens", () => {
  const files = globSync(["{app,components,demo/page,lib/client}/**/*.{ts,tsx}"], { cwd: root })
    // The extension runs on pages of Argo CD: its addresses are not ours.
    .filter((file) => !/\.test\.tsx?$|^components\/argocd\//.test(file))
    .sort();

  it("are made by lib/client/base-path.ts", () => {
    expect(files.length).toBeGreaterThan(300);
    const wrong = files.flatMap((file) =>
      findWrongAddresses(file, readFileSync(join(root, file), "utf8")).map((found) => `${file}:${found}`),
    );
    expect(wrong).toEqual([]);
  });

  it.each([
    'fetch("/api/v1/me")',
    "fetch(path + formatQuery(query), init)",
    'window.open("/inbox", "_blank")',
    `window.location.assign(\`/signin?\${query}\`)`,
    'location.href = "/inbox"',
    'new EventSource("/api/v1/stream")',
    `new URL(\`/hooks/flagger/\${cluster}\`, window.location.origin)`,
    'navigator.sendBeacon("/api/v1/seen")',
    'const icons = { icon: "/favicon.svg" }',
    '<a href="/inbox">Inbox</a>',
    "<a href={runHref(uid)}>Run</a>",
    '<Anchor href="/docs/api">API</Anchor>',
    '<Button component="a" href={path} download>CSV</Button>',
    '<form action="/api/auth/signout" />',
    '<img src="/logo.svg" alt="" />',
    // The path would be there twice.
    '<Link href={withBasePath("/inbox")}>Inbox</Link>',
    '<Anchor component={Link} href={withBasePath("/inbox")}>Inbox</Anchor>',
    'router.push(withBasePath("/inbox"))',
    'redirect(withBasePath("/inbox"))',
  ])("would find %s", (text) => {
    expect(findWrongAddresses("components/planted.tsx", text)).not.toEqual([]);
  });

  it.each([
    "fetch(withBasePath(path) + formatQuery(query), init)",
    `window.location.assign(withBasePath(\`/signin?\${query}\`))`,
    `new URL(\`\${ownUrl()}/hooks/flagger/\${cluster}\`)`,
    '<a href="#main">Skip</a>',
    `<a href={\`#\${tag}\`}>{tag}</a>`,
    '<Anchor component={Link} href="/inbox">Inbox</Anchor>',
    '<Menu.Item component="a" href={listExportHref(list, filters)}>CSV</Menu.Item>',
    'router.push("/inbox")',
    'request({ path: "/api/v1/me" })',
  ])("lets %s pass", (text) => {
    expect(findWrongAddresses("components/planted.tsx", text)).toEqual([]);
  });
});
