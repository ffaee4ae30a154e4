import { describeScope } from "#components/ui/describe-scope.ts";
import type { ActionName } from "#lib/contract/rollout.ts";
import type { MyGrant } from "#lib/contract/system.ts";
import { actionNames } from "#lib/domain/acting/action-catalogue.ts";
import { isSame } from "#lib/util/diff-merge.ts";
import { formatList } from "#lib/util/words.ts";

const roleNames = { viewer: "Viewer", operator: "Operator", admin: "Admin" } as const satisfies Record<
  MyGrant["role"],
  string
>;

export type GrantWords = { role: string; where: string; more: string[] };

/** Describes a grant: "Operator", "in accounts/* of cluster prod", and further notes. */
export function describeGrant(grant: MyGrant): GrantWords {
  const { role, scope, actions, breakGlass, through, secondPerson } = grant;
  return {
    role: roleNames[role],
    where: describeScope(scope),
    more: [
      ...(role === "viewer" || actions.includes("*") ? [] : [`only ${formatList(actions)}`]),
      ...secondPerson.map((need) => describeNeed(need, grant)),
      ...(breakGlass ? ["can override a freeze (break-glass), with a reason and a fresh sign-in"] : []),
      ...(through === "token" ? ["granted to this token by the config"] : []),
    ],
  };
}

function describeNeed(
  { rule, actions, scope, expireMinutes }: MyGrant["secondPerson"][number],
  grant: MyGrant,
): string {
  const verb = actions.length === 1 || isNearlyAll(actions, grant) ? "requires" : "require";
  const place = isSame(scope, grant.scope) ? "" : ` ${describeScope(scope)}`;
  return `${nameActions(actions, grant)} ${verb} a second person${place} (${rule}, within ${expireMinutes} min)`;
}

function nameActions(actions: readonly ActionName[], grant: MyGrant): string {
  if (!isNearlyAll(actions, grant)) return formatList(actions);
  const others = othersOf(actions);
  return others.length === 0 ? "every action" : `every action but ${formatList(others)}`;
}

function isNearlyAll(actions: readonly ActionName[], grant: MyGrant): boolean {
  return grant.actions.includes("*") && othersOf(actions).length <= 5;
}

function othersOf(actions: readonly ActionName[]): string[] {
  return actionNames.filter((name) => !actions.some((action) => action === name));
}
