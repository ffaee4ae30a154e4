import type { NamedClusterIdentity } from "#lib/contract/system.ts";

/** More would not fit on one line; the settings page lists all. */
const shownGroups = 4;

/** Describes the identity: "Runs on cluster demo as oncall (groups releasers, sre), via impersonation." */
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
  const who = `${username ?? "nobody"}${describeGroups(groups)}`;
  return { text: `Runs on cluster ${cluster} as ${who}, via impersonation.`, isProblem: false };
}

function describeGroups(groups: readonly string[]): string {
  if (groups.length === 0) return ", without groups";
  const more = groups.length - shownGroups;
  const names = groups.slice(0, shownGroups).join(", ");
  return ` (${groups.length === 1 ? "group" : "groups"} ${names}${more > 0 ? ` and ${more} more` : ""})`;
}
