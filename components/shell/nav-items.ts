import {
  IconBolt,
  IconChartBar,
  IconChartDots,
  IconEyeExclamation,
  IconGitBranch,
  IconHeartbeat,
  IconHistory,
  IconInbox,
  IconPlugConnected,
  IconSettings,
  IconShieldCheck,
  IconTemplate,
  IconUserShield,
} from "#components/ui/icons.tsx";
import { useIsAdmin, useMe } from "#lib/client/system-queries.ts";

export const navGroups = ["Work", "Evidence", "Proof", "System"] as const;
export type NavGroup = (typeof navGroups)[number];

export type NavItem = {
  href: string;
  label: string;
  icon: typeof IconInbox;
  /** Its heading in the rail; absent for pages that the header leads to: sources by the lamp, settings by the person. */
  group?: NavGroup;
  /** Shown in the bottom bar of small screens; the others are in its menu. */
  inBar: boolean;
  /** Pages without a place of their own that belong to it. */
  also?: readonly string[];
  /** Only for an admin of a demo that plays faults. */
  needsFaults?: boolean;
  /** Only for who administers everything. */
  needsAdmin?: boolean;
};

const templatePages = ["/template-lab", "/backtest"];

/** The pages of the console; only pages that exist are listed. */
export const navItems: readonly NavItem[] = [
  { href: "/inbox", label: "Inbox", icon: IconInbox, group: "Work", inBar: true },
  {
    ...{ href: "/rollouts", label: "Rollouts", icon: IconGitBranch, group: "Work", inBar: true },
    also: ["/sets", "/action-groups"],
  },
  { href: "/releases", label: "Releases", icon: IconHistory, group: "Evidence", inBar: true },
  {
    ...{ href: "/analysis-runs", label: "Analysis runs", icon: IconChartDots, group: "Evidence", inBar: true },
    also: ["/experiments"],
  },
  { href: "/templates", label: "Templates", icon: IconTemplate, group: "Evidence", inBar: false, also: templatePages },
  { href: "/insights", label: "Insights", icon: IconChartBar, group: "Evidence", inBar: false },
  { href: "/audit", label: "Audit", icon: IconShieldCheck, group: "Proof", inBar: false },
  { href: "/findings", label: "Findings", icon: IconEyeExclamation, group: "System", inBar: true },
  { href: "/controllers", label: "Controllers", icon: IconHeartbeat, group: "System", inBar: false },
  { href: "/admin", label: "Admin", icon: IconUserShield, group: "System", inBar: false, needsAdmin: true },
  { href: "/faults", label: "Faults", icon: IconBolt, group: "System", inBar: false, needsFaults: true },
  { href: "/sources", label: "Sources", icon: IconPlugConnected, inBar: false },
  { href: "/settings", label: "Settings", icon: IconSettings, inBar: false },
];

/** Says whether a path is the page of the item, or below it. */
export function isCurrent({ href, also = [] }: Pick<NavItem, "href" | "also">, pathname: string): boolean {
  return [href, ...also].some((page) => pathname === page || pathname.startsWith(`${page}/`));
}

/** Returns whether the reader has a faults page. */
export function usePlaysFaults(): boolean {
  const isAdmin = useIsAdmin();
  return useMe().data?.faults === true && isAdmin;
}

/** Returns the pages that the reader has. */
export function useNavItems(): readonly NavItem[] {
  const [playsFaults, isAdmin] = [usePlaysFaults(), useIsAdmin()];
  return navItems.filter(({ needsFaults, needsAdmin }) => (playsFaults || !needsFaults) && (isAdmin || !needsAdmin));
}
