"use client";

import { Anchor, Badge } from "@mantine/core";
import Link from "next/link";
import { usePathname } from "next/navigation";
import classes from "#components/admin/admin.module.css";
import { PageTitle } from "#components/ui/page-title.tsx";
import { configHref } from "#lib/client/admin-href.ts";

const parts = [
  { href: "/admin", label: "Access" },
  { href: "/admin/freezes", label: "Freeze calendar" },
  { href: "/admin/policies", label: "Policies" },
  { href: "/admin/links", label: "Links" },
  { href: "/admin/config", label: "Effective config" },
  { href: "/admin/storage", label: "Storage" },
];

type AdminFrameProps = { title: string; aside?: React.ReactNode; children: React.ReactNode };

/** Renders one of the admin's pages, with the links to the others. */
export function AdminFrame({ title, aside, children }: AdminFrameProps) {
  const pathname = usePathname();
  return (
    <>
      <nav aria-label="Admin" className={classes.parts}>
        {parts.map(({ href, label }) => (
          <Link key={href} href={href} aria-current={pathname === href ? "page" : undefined} className={classes.part}>
            {label}
          </Link>
        ))}
      </nav>
      <PageTitle aside={aside}>{title}</PageTitle>
      {children}
    </>
  );
}

/** Shows a place in the config, and leads to it in the effective config. */
export function ConfigPath({ path }: { path: string }) {
  return (
    <Anchor component={Link} href={configHref(path)} className={classes.path} underline="hover">
      {path}
    </Anchor>
  );
}

/** Marks a policy that decides nothing. */
export function ObservedMark({ mode }: { mode: "enforce" | "observe" }) {
  if (mode !== "observe") return null;
  return (
    <Badge component="span" variant="outline" color="gray" size="sm" ml={6} tt="none">
      Observed
    </Badge>
  );
}
