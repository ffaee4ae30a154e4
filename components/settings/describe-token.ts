import type { ShownState } from "#components/ui/classify-state.ts";
import type { Role } from "#lib/contract/common.ts";
import type { ApiToken } from "#lib/contract/system.ts";

/** Classifies whether a token still works, at a time of the server's clock. */
export function classifyToken(
  { revokedAt, expiresAt }: Pick<ApiToken, "revokedAt" | "expiresAt">,
  nowMs: number,
): ShownState {
  if (revokedAt !== null) return { state: "unknown", word: "Revoked" };
  if (expiresAt !== null && Date.parse(expiresAt) <= nowMs) return { state: "unknown", word: "Expired" };
  return { state: "successful", word: "Valid" };
}

const order: readonly Role[] = ["viewer", "operator", "admin"];

/** Lists the roles that a token may have: at most its owner's. */
export function rolesUpTo(role: Role): Role[] {
  return order.slice(0, order.indexOf(role) + 1);
}
