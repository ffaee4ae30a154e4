import { isCurrent } from "#components/shell/nav-items.ts";
import { docHref } from "#lib/client/doc-href.ts";

/** The pages of the console and the page of the documentation about each; the first that matches counts. */
export const docsOfPages: readonly { href: string; file: string }[] = [
  { href: "/inbox", file: "inbox.md" },
  { href: "/rollouts", file: "acting.md" },
  { href: "/sets", file: "sets.md" },
  { href: "/action-groups", file: "sets.md" },
  { href: "/releases", file: "releases.md" },
  { href: "/analysis-runs", file: "releases.md" },
  { href: "/experiments", file: "releases.md" },
  { href: "/findings", file: "findings.md" },
  { href: "/insights", file: "insights.md" },
  { href: "/templates", file: "backtest.md" },
  { href: "/template-lab", file: "backtest.md" },
  { href: "/backtest", file: "backtest.md" },
  { href: "/controllers", file: "controllers.md" },
  { href: "/audit", file: "verifying-the-audit-log.md" },
  { href: "/sources", file: "troubleshooting.md" },
  { href: "/settings/notifications", file: "notifications.md" },
  { href: "/settings", file: "api.md" },
  { href: "/admin", file: "admin.md" },
];

/** Returns the address of the documentation of a page; its start if none is about it. */
export function docOfPageHref(pathname: string): string {
  const file = docsOfPages.find(({ href }) => isCurrent({ href }, pathname))?.file;
  return docHref(file ?? "README.md");
}
