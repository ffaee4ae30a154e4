import type { ActionPermission, PermissionVerdict } from "#lib/contract/admin-access.ts";

/** Actions with the same answer for the same reasons. */
export type PermissionGroup = Pick<ActionPermission, "verdict" | "because" | "needsReason"> & {
  actions: { label: string; notNow: string | null }[];
};

const order: readonly PermissionVerdict[] = ["yes", "approval", "break-glass", "break-glass-and-approval", "no"];

export const verdictWords = {
  yes: "Yes",
  approval: "With approval",
  "break-glass": "Break-glass only",
  "break-glass-and-approval": "Break-glass and approval",
  no: "No",
} as const satisfies Record<PermissionVerdict, string>;

/** Groups actions with the same answer and the same reasons, allowed ones first. */
export function groupPermissions(actions: readonly ActionPermission[]): PermissionGroup[] {
  const keyOf = ({ verdict, because, needsReason }: ActionPermission) =>
    JSON.stringify([verdict, verdict === "no" ? null : needsReason, because]);
  return [...Map.groupBy(actions, keyOf).values()]
    .map((group) => ({
      verdict: group[0]?.verdict ?? "no",
      because: group[0]?.because ?? [],
      needsReason: group[0]?.needsReason ?? false,
      actions: group.map(({ label, notNow }) => ({ label, notNow })),
    }))
    .toSorted((left, right) => order.indexOf(left.verdict) - order.indexOf(right.verdict));
}
