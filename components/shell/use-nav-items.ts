import { type NavItem, navItems } from "#components/shell/nav-items.ts";
import { useIsAdmin, useMe } from "#lib/client/system-queries.ts";

/** Returns whether the reader has a faults page. */
export function usePlaysFaults(): boolean {
  const isAdmin = useIsAdmin();
  return useMe().data?.faults === true && isAdmin;
}

/** Returns the pages that the reader has. */
export function useNavItems(): readonly NavItem[] {
  const [playsFaults, isAdmin] = [usePlaysFaults(), useIsAdmin()];
  return navItems.filter(({ needsFaults, needsAdmin }) => (playsFaults || !needsFaults) && (isAdmin || !needsAdmin));
}
