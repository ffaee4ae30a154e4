import {
  IconBolt,
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
  /** Also shown in the bottom bar of small screens. */
  inBar: boolean;
  /** Only for an admin of a demo that plays faults. */
  needsFaults?: boolean;
  /** Only for who administers everything. */
  needsAdmin?: boolean;
};

/** The pages of the rail; only pages that exist are listed. */
export const navItems: readonly NavItem[] = [
  { href: "/inbox", label: "Inbox", icon: IconInbox, inBar: true },
  { href: "/rollouts", label: "Rollouts", icon: IconGitBranch, inBar: true },
  { href: "/releases", label: "Releases", icon: IconHistory, inBar: false },
  { href: "/analysis-runs", label: "Analysis runs", icon: IconChartDots, inBar: true },
  { href: "/findings", label: "Findings", icon: IconEyeExclamation, inBar: true },
  { href: "/templates", label: "Templates", icon: IconTemplate, inBar: false },
  { href: "/controllers", label: "Controllers", icon: IconHeartbeat, inBar: false },
  { href: "/audit", label: "Audit", icon: IconShieldCheck, inBar: true },
  { href: "/sources", label: "Sources", icon: IconPlugConnected, inBar: true },
  { href: "/settings", label: "Settings", icon: IconSettings, inBar: false },
  { href: "/admin", label: "Admin", icon: IconUserShield, inBar: false, needsAdmin: true },
  { href: "/faults", label: "Faults", icon: IconBolt, inBar: false, needsFaults: true },
];

export function isCurrent(href: string, pathname: string): boolean {
  return pathname === href || pathname.startsWith(`${href}/`);
}
