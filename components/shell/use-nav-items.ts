import { type NavItem, navItems } from "#components/shell/nav-items.ts";
import { useMe } from "#lib/client/system-queries.ts";

/** Returns whether the reader has a faults page. */
export function usePlaysFaults(): boolean {
  const me = useMe().data;
  return me?.faults === true && me.role === "admin";
}

/** Returns whether the reader administers everything, as the admin's pages require. */
export function useIsAdmin(): boolean {
  const grants = useMe().data?.grants ?? [];
  return grants.some(
    ({ role, scope }) => role === "admin" && Object.values(scope).every((patterns) => patterns.includes("*")),
  );
}

/** Returns the pages that the reader has. */
export function useNavItems(): readonly NavItem[] {
  const [playsFaults, isAdmin] = [usePlaysFaults(), useIsAdmin()];
  return navItems.filter(({ needsFaults, needsAdmin }) => (playsFaults || !needsFaults) && (isAdmin || !needsAdmin));
}
