"use client";

import { Badge, NavLink, Stack } from "@mantine/core";
import dynamic from "next/dynamic";
import { usePathname } from "next/navigation";
import { isCurrent, navGroups, useNavItems } from "#components/shell/nav-items.ts";
import classes from "#components/shell/shell.module.css";
import { HoverLink } from "#components/ui/hover-link.tsx";
import { useFindingCounts } from "#lib/client/finding-queries.ts";
import { useInbox } from "#lib/client/rollout-queries.ts";

const BarMenu = dynamic(() => import("#components/shell/bar-menu.tsx").then((module) => module.BarMenu), {
  ssr: false,
  loading: () => (
    <button type="button" className={classes.barLink} disabled={true}>
      More
    </button>
  ),
});

/** Returns how many items wait and are not snoozed, as text; undefined if unknown or zero. */
export function useWaitingCount(): string | undefined {
  const { items, hasMore } = useInbox();
  const waiting = items?.filter(({ handling }) => handling.snooze === null).length ?? 0;
  if (waiting === 0) return undefined;
  // Snoozed rows come last: if one is loaded, so are all others.
  return hasMore && waiting === items?.length ? `${waiting}+` : String(waiting);
}

/** Returns how many findings ask for somebody, as text; undefined if unknown or none. Info does not count. */
function useFindingCount(): string | undefined {
  const open = useFindingCounts().data?.open;
  const count = (open?.critical ?? 0) + (open?.warning ?? 0);
  return count === 0 ? undefined : String(count);
}

type Count = { text: string; says: string };

/** Returns the counts beside the pages, by path. */
function useCounts(): Partial<Record<string, Count>> {
  const waiting = useWaitingCount();
  const findings = useFindingCount();
  return {
    ...(waiting === undefined ? {} : { "/inbox": { text: waiting, says: `${waiting} waiting` } }),
    ...(findings === undefined ? {} : { "/findings": { text: findings, says: `${findings} critical or warning` } }),
  };
}

export function Rail() {
  const pathname = usePathname();
  const counts = useCounts();
  const items = useNavItems();
  return (
    <nav aria-label="Main">
      {navGroups.map((group) => (
        <Stack key={group} gap={2} role="group" aria-labelledby={`rail-${group}`} className={classes.railGroup}>
          <div id={`rail-${group}`} className={classes.railHead}>
            {group}
          </div>
          {items
            .filter((item) => item.group === group)
            .map(({ href, also, label, icon: Icon }) => (
              <NavLink
                key={href}
                component={HoverLink}
                href={href}
                label={label}
                active={isCurrent({ href, also }, pathname)}
                aria-current={isCurrent({ href, also }, pathname) ? "page" : undefined}
                leftSection={<Icon size={18} stroke={1.6} aria-hidden="true" />}
                rightSection={
                  counts[href] === undefined ? undefined : (
                    <Badge size="sm" variant={href === "/inbox" ? "filled" : "light"} aria-label={counts[href].says}>
                      {counts[href].text}
                    </Badge>
                  )
                }
                className={classes.railLink}
              />
            ))}
        </Stack>
      ))}
    </nav>
  );
}

/** Shows the rail on screens below 900 px: the pages used most, and a menu of all others. */
export function BottomBar({ onFind }: { onFind: () => void }) {
  const pathname = usePathname();
  const counts = useCounts();
  const items = useNavItems();
  return (
    <nav aria-label="Main" className={classes.bar}>
      {items
        .filter(({ inBar }) => inBar)
        .map(({ href, also, label, icon: Icon }) => (
          <HoverLink
            key={href}
            href={href}
            className={classes.barLink}
            aria-current={isCurrent({ href, also }, pathname) ? "page" : undefined}
          >
            <span className={classes.barIcon}>
              <Icon size={20} stroke={1.6} aria-hidden="true" />
              {counts[href] !== undefined && <span className={classes.barCount}>{counts[href].text}</span>}
            </span>
            {label === "Analysis runs" ? "Analysis" : label}
          </HoverLink>
        ))}
      <BarMenu items={items.filter(({ inBar }) => !inBar)} onFind={onFind} />
    </nav>
  );
}
