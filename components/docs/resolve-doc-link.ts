import { withBasePath } from "#lib/client/base-path.ts";
import { docHref } from "#lib/client/doc-href.ts";
import { isDocFile } from "#lib/util/doc-address.ts";

export type DocTarget =
  /** Another page, a picture, or a place on this page. */
  | { kind: "own"; href: string }
  | { kind: "outside"; href: string }
  /** A source file, which is not served: only its path can be shown. */
  | { kind: "source"; path: string }
  /** Not an address that a page may link to. */
  | { kind: "none" };

/** Resolves a link of a documentation page. `file` is the page's path below `docs/`. */
export function resolveDocLink({ file, href }: { file: string; href: string }): DocTarget {
  if (href.startsWith("#")) return { kind: "own", href };
  if (/^https?:\/\//i.test(href)) return { kind: "outside", href };
  // An address without a scheme cannot leave the root: one that climbs too high ends there.
  if (/^[a-z][a-z0-9+.-]*:|^[/\\]/i.test(href) || !URL.canParse(href, `http://docs/docs/${file}`))
    return { kind: "none" };
  const { pathname, hash } = new URL(href, `http://docs/docs/${file}`);
  const path = pathname.slice(1).replace(/\/$/, "");
  const below = path.startsWith("docs/") ? path.slice("docs/".length) : undefined;
  if (below === undefined)
    return path === "docs" ? { kind: "own", href: docHref("README.md") } : { kind: "source", path };
  if (isDocFile(below)) return { kind: "own", href: `${docHref(below)}${hash}` };
  return below === "adr" || below.startsWith("images/")
    ? { kind: "own", href: withBasePath(pathname) }
    : { kind: "source", path };
}
