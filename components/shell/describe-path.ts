import { isCurrent, navItems } from "#components/shell/nav-items.ts";
import { decodeSegment } from "#lib/client/decode-segment.ts";

export type Crumb = { label: string; href?: string };

/** Linked from other pages, not from the rail. */
const linked = [
  { href: "/experiments", label: "Experiments" },
  { href: "/backtest", label: "Back-test" },
  { href: "/template-lab", label: "Template lab" },
];

const adminPages: Readonly<Record<string, string>> = {
  freezes: "Freeze calendar",
  policies: "Policies",
  config: "Effective config",
  storage: "Storage",
};

/** Returns the uid of the analysis run that a page shows; undefined for other pages. */
export function runUidOf(pathname: string): string | undefined {
  const uid = /^\/analysis-runs\/([^/]+)/.exec(pathname)?.[1];
  return uid === undefined ? undefined : decodeSegment(uid);
}

/** Returns the breadcrumb of a page from its path, which does not name a run: `run` does, once it is known. */
export function describePath(pathname: string, run = "Run"): Crumb[] {
  const section = [...navItems, ...linked].find(({ href }) => isCurrent({ href }, pathname));
  if (section === undefined) return [];
  const rest = pathname
    .slice(section.href.length + 1)
    .split("/")
    .filter(Boolean)
    .map(decodeSegment);
  if (rest.length === 0) return [{ label: section.label }];
  const root: Crumb = { label: section.label, href: section.href };
  const [cluster, namespace, , name] = rest;
  const isNamed = section.href === "/rollouts" || section.href === "/templates";
  if (isNamed && cluster !== undefined && namespace !== undefined && name !== undefined) {
    const query = (filters: Record<string, string>) => `${section.href}?${new URLSearchParams(filters)}`;
    return [
      root,
      { label: cluster, href: query({ cluster }) },
      ...(namespace === "-" ? [] : [{ label: namespace, href: query({ cluster, namespace }) }]),
      { label: name },
    ];
  }
  if (section.href === "/controllers" && cluster !== undefined && namespace !== undefined)
    // The second segment is the component.
    return [root, { label: cluster }, { label: namespace }];
  if (section.href === "/audit") return [root, { label: `Entry ${rest[0]}` }];
  if (section.href === "/releases") return [root, { label: rest[0] === "compare" ? "Compare" : "Release" }];
  if (section.href === "/analysis-runs") return [root, { label: run }];
  if (section.href === "/findings") return [root, { label: "Finding" }];
  if (section.href === "/experiments") return [root, { label: "Experiment" }];
  if (section.href === "/admin") return [root, { label: adminPages[rest[0] ?? ""] ?? "Admin" }];
  if (section.href === "/settings" && rest[0] === "notifications") return [root, { label: "Notifications" }];
  return [root, { label: rest.join("/") }];
}
