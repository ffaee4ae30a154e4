import { expect, it } from "vitest";
import { resolveDocLink } from "#components/docs/resolve-doc-link.ts";

it.each([
  { href: "#here", target: { kind: "own", href: "#here" } },
  { href: "inbox.md", target: { kind: "own", href: "/docs/inbox" } },
  { href: "inbox.md#order", target: { kind: "own", href: "/docs/inbox#order" } },
  { href: "api.md", target: { kind: "own", href: "/docs/api-guide" } },
  { href: "README.md", target: { kind: "own", href: "/docs" } },
  { href: "adr", target: { kind: "own", href: "/docs/adr" } },
  { href: "adr/0001-a.md", target: { kind: "own", href: "/docs/adr/0001-a" } },
  { href: "images/inbox.png", target: { kind: "own", href: "/docs/images/inbox.png" } },
  { href: "0002-b.md", file: "adr/0001-a.md", target: { kind: "own", href: "/docs/adr/0002-b" } },
  { href: "../inbox.md#x", file: "adr/0001-a.md", target: { kind: "own", href: "/docs/inbox#x" } },
  { href: "../SECURITY.md", target: { kind: "source", path: "SECURITY.md" } },
  { href: "../deploy/chart/README.md#keys", target: { kind: "source", path: "deploy/chart/README.md" } },
  { href: "../../../etc/passwd", target: { kind: "source", path: "etc/passwd" } },
  { href: "https://example.com/a?b#c", target: { kind: "outside", href: "https://example.com/a?b#c" } },
  { href: "javascript:alert(1)", target: { kind: "none" } },
  { href: "JaVaScRiPt:alert(1)", target: { kind: "none" } },
  { href: "data:text/html,x", target: { kind: "none" } },
  { href: "//example.com", target: { kind: "none" } },
  { href: "\\\\example.com", target: { kind: "none" } },
  { href: "/api/auth/signout", target: { kind: "none" } },
])("$href of $file", ({ href, file = "page.md", target }) => {
  expect(resolveDocLink({ file, href })).toEqual(target);
});
