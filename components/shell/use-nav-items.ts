import { type NavItem, navItems } from "#components/shell/nav-items.ts";
import { useMe } from "#lib/client/system-queries.ts";

/** Whether there is a page of faults for who looks. */
export function usePlaysFaults(): boolean {
  const me = useMe().data;
  return me?.faults === true && me.role === "admin";
}

/** The pages that there are for who looks. */
export function useNavItems(): readonly NavItem[] {
  return usePlaysFaults() ? navItems : navItems.filter(({ needsFaults }) => needsFaults !== true);
}
