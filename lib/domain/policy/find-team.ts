import { matchesAny } from "./match-glob.ts";
import { isInScope, type Scope, type Target } from "./rights.ts";

/** Recorded labels and annotations of a rollout, by name. */
export type Labels = Readonly<Record<string, string>>;

/** A team of the config: the rollouts that it owns, and its people. It gives no rights. */
export type Team = {
  name: string;
  /** Names of groups at the identity provider. */
  groups: readonly string[];
  scope: Scope;
  /** Labels that a rollout must have too, each with this value. */
  labels: Labels;
  /** The name of a notification channel. */
  channel?: string | undefined;
  /** An https address. */
  onCall?: string | undefined;
};

/** Returns the team that owns a rollout: the first one that matches it. */
export function findTeam(teams: readonly Team[], rollout: Target & { labels: Labels }): Team | undefined {
  return teams.find(({ scope, labels }) => isInScope(scope, rollout) && hasLabels(rollout.labels, labels));
}

/** Returns `findTeam` for many rollouts: most teams are compared once with each namespace, instead of each rollout. */
export function createTeamFinder(teams: readonly Team[]): (rollout: Target & { labels: Labels }) => Team | undefined {
  const ofNamespaces = new Map<string, readonly Team[]>();
  return (rollout) => {
    const { cluster, namespace } = rollout;
    const key = `${cluster}/${namespace}`;
    const likely =
      ofNamespaces.get(key) ??
      teams.filter(({ scope }) => matchesAny(scope.clusters, cluster) && matchesAny(scope.namespaces, namespace));
    ofNamespaces.set(key, likely);
    return findTeam(likely, rollout);
  };
}

function hasLabels(labels: Labels, wanted: Labels): boolean {
  return Object.entries(wanted).every(([name, value]) => Object.hasOwn(labels, name) && labels[name] === value);
}

/** Returns whether a person with these groups is in a team. */
export function isInTeam({ groups }: Pick<Team, "groups">, own: readonly string[]): boolean {
  return groups.some((group) => own.includes(group));
}

/** A team as the config has it, with its scope beside its other fields. */
type ConfiguredTeam = Omit<Team, "scope"> & Scope;
/** The part of a config that has the teams. */
export type WithTeams = { teams: readonly ConfiguredTeam[] };

const known = new WeakMap<readonly ConfiguredTeam[], readonly Team[]>();

/** Returns the teams of a config: the same list for the same config. */
export function teamsOf({ teams: list }: WithTeams): readonly Team[] {
  const teams =
    known.get(list) ??
    list.map(({ clusters, namespaces, rollouts, ...team }) => ({ ...team, scope: { clusters, namespaces, rollouts } }));
  known.set(list, teams);
  return teams;
}
