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
} from "@tabler/icons-react";

export type NavItem = {
  href: string;
  label: string;
  icon: typeof IconInbox;
  /** Shown in the bottom bar of small screens; the others are in its menu. */
  inBar: boolean;
  /** Pages without a place of their own that belong to it. */
  also?: readonly string[];
  /** Only for an admin of a demo that plays faults. */
  needsFaults?: boolean;
  /** Only for who administers everything. */
  needsAdmin?: boolean;
};

/** The pages of the rail; only pages that exist are listed. */
export const navItems: readonly NavItem[] = [
  { href: "/inbox", label: "Inbox", icon: IconInbox, inBar: true },
  { href: "/rollouts", label: "Rollouts", icon: IconGitBranch, inBar: true },
  { href: "/releases", label: "Releases", icon: IconHistory, inBar: true },
  { href: "/analysis-runs", label: "Analysis runs", icon: IconChartDots, inBar: true, also: ["/experiments"] },
  { href: "/findings", label: "Findings", icon: IconEyeExclamation, inBar: true },
  { href: "/insights", label: "Insights", icon: IconChartBar, inBar: false },
  { href: "/templates", label: "Templates", icon: IconTemplate, inBar: false, also: ["/template-lab", "/backtest"] },
  { href: "/controllers", label: "Controllers", icon: IconHeartbeat, inBar: false },
  { href: "/audit", label: "Audit", icon: IconShieldCheck, inBar: false },
  { href: "/sources", label: "Sources", icon: IconPlugConnected, inBar: false },
  { href: "/settings", label: "Settings", icon: IconSettings, inBar: false },
  { href: "/admin", label: "Admin", icon: IconUserShield, inBar: false, needsAdmin: true },
  { href: "/faults", label: "Faults", icon: IconBolt, inBar: false, needsFaults: true },
];

/** Says whether a path is the page of the item, or below it. */
export function isCurrent({ href, also = [] }: Pick<NavItem, "href" | "also">, pathname: string): boolean {
  return [href, ...also].some((page) => pathname === page || pathname.startsWith(`${page}/`));
}
