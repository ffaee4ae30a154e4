"use client";

import { Badge, NavLink, Stack } from "@mantine/core";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { isCurrent } from "#components/shell/nav-items.ts";
import classes from "#components/shell/shell.module.css";
import { useNavItems } from "#components/shell/use-nav-items.ts";
import { useInbox } from "#lib/client/rollout-queries.ts";

/** Returns how many items wait and are not snoozed, as text; undefined if unknown or zero. */
export function useWaitingCount(): string | undefined {
  const { items, hasMore } = useInbox();
  const waiting = items?.filter(({ handling }) => handling.snooze === null).length ?? 0;
  if (waiting === 0) return undefined;
  // Snoozed rows come last: if one is loaded, so are all others.
  return hasMore && waiting === items?.length ? `${waiting}+` : String(waiting);
}

export function Rail() {
  const pathname = usePathname();
  const waiting = useWaitingCount();
  const items = useNavItems();
  return (
    <nav aria-label="Main">
      <Stack gap={2}>
        {items.map(({ href, label, icon: Icon }) => (
          <NavLink
            key={href}
            component={Link}
            href={href}
            label={label}
            active={isCurrent(href, pathname)}
            aria-current={isCurrent(href, pathname) ? "page" : undefined}
            leftSection={<Icon size={18} stroke={1.6} aria-hidden="true" />}
            rightSection={
              href === "/inbox" && waiting !== undefined ? (
                <Badge size="sm" variant="filled" aria-label={`${waiting} waiting`}>
                  {waiting}
                </Badge>
              ) : undefined
            }
            className={classes.railLink}
          />
        ))}
      </Stack>
    </nav>
  );
}

/** Shows the rail on screens below 900 px. */
export function BottomBar() {
  const pathname = usePathname();
  const waiting = useWaitingCount();
  const items = useNavItems();
  return (
    <nav aria-label="Main" className={classes.bar}>
      {items
        .filter(({ inBar }) => inBar)
        .map(({ href, label, icon: Icon }) => (
          <Link
            key={href}
            href={href}
            className={classes.barLink}
            aria-current={isCurrent(href, pathname) ? "page" : undefined}
          >
            <span className={classes.barIcon}>
              <Icon size={20} stroke={1.6} aria-hidden="true" />
              {href === "/inbox" && waiting !== undefined && <span className={classes.barCount}>{waiting}</span>}
            </span>
            {label === "Analysis runs" ? "Analysis" : label}
          </Link>
        ))}
    </nav>
  );
}
