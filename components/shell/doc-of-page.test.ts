import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { docOfPageHref, docsOfPages } from "#components/shell/doc-of-page.ts";
import { navItems } from "#components/shell/nav-items.ts";

const docs = join(import.meta.dirname, "../../docs");

it.each([
  { path: "/inbox", href: "/docs/inbox" },
  { path: "/rollouts/a/b/Rollout/c", href: "/docs/acting" },
  { path: "/settings/notifications", href: "/docs/notifications" },
  { path: "/settings", href: "/docs/api-guide" },
  { path: "/nowhere", href: "/docs" },
])("$path: $href", ({ path, href }) => expect(docOfPageHref(path)).toBe(href));

it.each(docsOfPages)("$href has $file", ({ file }) => expect(existsSync(join(docs, file))).toBe(true));

it("has a page for everything of the rail but the faults, which are the demo's own", () => {
  expect(navItems.map(({ href }) => href).filter((href) => docOfPageHref(href) === "/docs")).toEqual(["/faults"]);
});
