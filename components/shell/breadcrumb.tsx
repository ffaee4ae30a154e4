"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { describePath, runUidOf } from "#components/shell/describe-path.ts";
import classes from "#components/shell/shell.module.css";
import { nameRun } from "#lib/client/name-run.ts";
import { queryKeys } from "#lib/client/query-keys.ts";
import type { AnalysisRunDetail } from "#lib/contract/analysis-run.ts";

export function Breadcrumb() {
  const pathname = usePathname();
  // The page loads it; here it is only read.
  const run = useQuery<AnalysisRunDetail>({ queryKey: queryKeys.run(runUidOf(pathname) ?? ""), enabled: false }).data;
  const crumbs = describePath(pathname, run === undefined ? undefined : nameRun(run));
  return (
    <nav aria-label="Breadcrumb" className={classes.crumbs}>
      <ol>
        {crumbs.map(({ label, href }, index) => (
          <li key={href ?? label} title={label}>
            {href === undefined ? (
              <span aria-current={index === crumbs.length - 1 ? "page" : undefined}>{label}</span>
            ) : (
              <Link href={href}>{label}</Link>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}
