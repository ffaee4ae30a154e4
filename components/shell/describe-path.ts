import { isCurrent, navItems } from "#components/shell/nav-items.ts";
import { decodeSegment } from "#lib/client/decode-segment.ts";

export type Crumb = { label: string; href?: string };

/** Linked from other pages, not from the rail. */
const linked = [
  { href: "/experiments", label: "Experiments" },
  { href: "/backtest", label: "Back-test" },
  { href: "/template-lab", label: "Template lab" },
  { href: "/device", label: "Sign in from a terminal" },
];

const adminPages: Readonly<Record<string, string>> = {
  freezes: "Freeze calendar",
  policies: "Policies",
  links: "Links",
  config: "Effective config",
  storage: "Storage",
};

/** An object whose name is not in the path of its page. */
export type Shown = { kind: "analysis-runs" | "releases" | "experiments" | "findings"; id: string };

/** Returns the object of a page that has only the id in its path; undefined for other pages. */
export function findShown(pathname: string): Shown | undefined {
  const [, kind, id] = /^\/(analysis-runs|releases|experiments|findings)\/([^/]+)/.exec(pathname) ?? [];
  if (id === undefined) return undefined;
  return { kind: kind as Shown["kind"], id: decodeSegment(id) };
}

const unnamed: Record<Shown["kind"], string> = {
  "analysis-runs": "Run",
  releases: "Release",
  experiments: "Experiment",
  findings: "Finding",
};

/** Pages about many rollouts, below the list of them. */
const ofMany: readonly { begin: string; label: (rest: string) => string }[] = [
  { begin: "/sets/version/", label: (version) => `Version ${version}` },
  { begin: "/action-groups/", label: (seq) => `Action ${seq}` },
];

/** Returns the breadcrumb of a page from its path. `name` is that of the object of `findShown`, once it is known. */
export function describePath(pathname: string, name?: string): Crumb[] {
  const many = ofMany.find(({ begin }) => pathname.startsWith(begin));
  if (many !== undefined)
    return [
      { label: "Rollouts", href: "/rollouts" },
      { label: many.label(decodeSegment(pathname.slice(many.begin.length))) },
    ];
  const section = [...navItems, ...linked].find(({ href }) => isCurrent({ href }, pathname));
  if (section === undefined) return [];
  const rest = pathname
    .slice(section.href.length + 1)
    .split("/")
    .filter(Boolean)
    .map(decodeSegment);
  if (rest.length === 0) return [{ label: section.label }];
  const root: Crumb = { label: section.label, href: section.href };
  const [cluster, namespace, , object] = rest;
  const isNamed = section.href === "/rollouts" || section.href === "/templates";
  if (isNamed && cluster !== undefined && namespace !== undefined && object !== undefined) {
    const query = (filters: Record<string, string>) => `${section.href}?${new URLSearchParams(filters)}`;
    return [
      root,
      { label: cluster, href: query({ cluster }) },
      ...(namespace === "-" ? [] : [{ label: namespace, href: query({ cluster, namespace }) }]),
      { label: object },
    ];
  }
  if (section.href === "/controllers" && cluster !== undefined && namespace !== undefined)
    // The second segment is the component.
    return [root, { label: cluster }, { label: namespace }];
  if (section.href === "/audit") return [root, { label: `Entry ${rest[0]}` }];
  const shown = findShown(pathname);
  if (shown !== undefined) return [root, { label: name ?? unnamed[shown.kind] }];
  if (section.href === "/admin") return [root, { label: adminPages[rest[0] ?? ""] ?? "Admin" }];
  if (section.href === "/settings" && rest[0] === "notifications") return [root, { label: "Notifications" }];
  return [root, { label: rest.join("/") }];
}
