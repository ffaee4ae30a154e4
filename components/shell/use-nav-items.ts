import { type NavItem, navItems } from "#components/shell/nav-items.ts";
import { useMe } from "#lib/client/system-queries.ts";

/** Returns whether the reader has a faults page. */
export function usePlaysFaults(): boolean {
  const me = useMe().data;
  return me?.faults === true && me.role === "admin";
}

/** Returns the pages that the reader has. */
export function useNavItems(): readonly NavItem[] {
  return usePlaysFaults() ? navItems : navItems.filter(({ needsFaults }) => needsFaults !== true);
}
