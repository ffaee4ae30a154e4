import type { NamedClusterIdentity } from "#lib/contract/system.ts";

/** More would not fit on one line; the settings page lists all. */
const shownGroups = 4;

/** Describes the identity: "Runs on cluster demo with the rights of groups releasers, sre; its log names oncall." */
export function describeActingAs({ cluster, mode, username, groups, problem }: NamedClusterIdentity): {
  text: string;
  isProblem: boolean;
} {
  if (problem !== null) return { text: problem, isProblem: true };
  if (mode === "serviceAccount") {
    const name = username === null ? "" : `, ${username}`;
    return {
      text: `Runs on cluster ${cluster} with Gatehouse's own account${name}; its rights apply, not yours.`,
      isProblem: false,
    };
  }
  const name = username ?? "";
  if (mode === "user") {
    const who = groups.length === 0 ? `${name}, without groups` : `${name} (${listGroups(groups)})`;
    return { text: `Runs on cluster ${cluster} as user ${who}.`, isProblem: false };
  }
  if (groups.length === 0)
    return {
      text: `Runs on cluster ${cluster} without rights of yours: they come from groups there, and Gatehouse sends none of yours.`,
      isProblem: true,
    };
  return {
    text: `Runs on cluster ${cluster} with the rights of ${listGroups(groups)}; its log names ${name}.`,
    isProblem: false,
  };
}

function listGroups(groups: readonly string[]): string {
  const more = groups.length - shownGroups;
  const names = groups.slice(0, shownGroups).join(", ");
  return `${groups.length === 1 ? "group" : "groups"} ${names}${more > 0 ? ` and ${more} more` : ""}`;
}
