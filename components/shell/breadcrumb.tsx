"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import { describePath } from "#components/shell/describe-path.ts";
import classes from "#components/shell/shell.module.css";

export function Breadcrumb() {
  const crumbs = describePath(usePathname());
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
