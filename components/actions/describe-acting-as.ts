import type { NamedClusterIdentity } from "#lib/contract/system.ts";

/** More would not be a line any more; the settings page names all. */
const shownGroups = 4;

/** "At demo this is done as oncall, groups releasers, sre: by impersonation, with your rights there." */
export function describeActingAs({ cluster, mode, username, groups, problem }: NamedClusterIdentity): {
  text: string;
  isProblem: boolean;
} {
  if (problem !== null) return { text: problem, isProblem: true };
  if (mode === "serviceAccount") {
    const name = username === null ? "" : `, ${username}`;
    return {
      text: `At ${cluster} this is done by Gatehouse's own account${name}, with its rights there, not with yours.`,
      isProblem: false,
    };
  }
  const who = `${username ?? "nobody"}${describeGroups(groups)}`;
  return { text: `At ${cluster} this is done as ${who}, by impersonation: with your rights there.`, isProblem: false };
}

function describeGroups(groups: readonly string[]): string {
  if (groups.length === 0) return ", without groups";
  const more = groups.length - shownGroups;
  const names = groups.slice(0, shownGroups).join(", ");
  return ` (${groups.length === 1 ? "group" : "groups"} ${names}${more > 0 ? ` and ${more} more` : ""})`;
}
