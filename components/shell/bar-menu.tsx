"use client";

import { Menu } from "@mantine/core";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { isCurrent, type NavItem } from "#components/shell/nav-items.ts";
import classes from "#components/shell/shell.module.css";
import { IconDots, IconSearch } from "#components/ui/icons.tsx";

type BarMenuProps = { items: readonly NavItem[]; onFind: () => void };

/** Offers the pages that the bottom bar has no room for, and the search. */
export function BarMenu({ items, onFind }: BarMenuProps) {
  const pathname = usePathname();
  const isHere = items.some((item) => isCurrent(item, pathname));
  return (
    <Menu position="top-end" width={220} withinPortal shadow="md">
      <Menu.Target>
        <button type="button" className={classes.barLink} data-current={isHere || undefined}>
          <IconDots size={20} stroke={1.6} aria-hidden="true" />
          More
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconSearch size={18} stroke={1.6} aria-hidden="true" />} onClick={onFind}>
          Find
        </Menu.Item>
        <Menu.Divider />
        {items.map((item) => (
          <Menu.Item
            key={item.href}
            component={Link}
            href={item.href}
            aria-current={isCurrent(item, pathname) ? "page" : undefined}
            leftSection={<item.icon size={18} stroke={1.6} aria-hidden="true" />}
          >
            {item.label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
