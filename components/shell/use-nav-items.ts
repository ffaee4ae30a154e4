import { type NavItem, navItems } from "#components/shell/nav-items.ts";
import { useMe } from "#lib/client/system-queries.ts";

/** The pages that there are for who looks. */
export function useNavItems(): readonly NavItem[] {
  const me = useMe().data;
  const playsFaults = me?.faults === true && me.role === "admin";
  return playsFaults ? navItems : navItems.filter(({ needsFaults }) => needsFaults !== true);
}
