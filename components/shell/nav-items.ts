import {
  IconChartDots,
  IconGitBranch,
  IconHistory,
  IconInbox,
  IconPlugConnected,
  IconShieldCheck,
  IconTemplate,
} from "@tabler/icons-react";

/** The pages of the rail; only what exists is listed. `inBar`: also in the bottom bar of small screens. */
export const navItems = [
  { href: "/inbox", label: "Inbox", icon: IconInbox, inBar: true },
  { href: "/rollouts", label: "Rollouts", icon: IconGitBranch, inBar: true },
  { href: "/releases", label: "Releases", icon: IconHistory, inBar: false },
  { href: "/analysis-runs", label: "Analysis runs", icon: IconChartDots, inBar: true },
  { href: "/templates", label: "Templates", icon: IconTemplate, inBar: false },
  { href: "/audit", label: "Audit", icon: IconShieldCheck, inBar: true },
  { href: "/sources", label: "Sources", icon: IconPlugConnected, inBar: true },
] as const;

export function isCurrent(href: string, pathname: string): boolean {
  return pathname === href || pathname.startsWith(`${href}/`);
}
