import { parseJsonPointer, readJsonPointer } from "#lib/util/json-pointer.ts";

export type Claims = Readonly<Record<string, unknown>>;

/** Reads a claim by its place in the config: a name, or a JSON pointer. */
export function readClaim(claims: Claims, place: string): unknown {
  return readJsonPointer(claims, parseJsonPointer(place) ?? [place]);
}

/**
 * Stores each claim that a JSON pointer names under the pointer itself, as sessions, tokens and clusters look it up. A
 * claim that only has the name of a pointer is left out.
 */
export function resolvePointers(claims: Claims, places: readonly string[]): Record<string, unknown> {
  const pointers = places.filter((place) => place.startsWith("/"));
  const resolved = pointers.map((place) => [place, readClaim(claims, place)] as const);
  const named = Object.entries(claims).filter(([name]) => !name.startsWith("/"));
  return Object.fromEntries([...resolved.filter(([, value]) => value !== undefined), ...named]);
}

const mostGroups = 2000;
const mostCharacters = 200_000;

/** Reads the groups: a list of names, or one name. `problem`: the provider left them out, or there are too many. */
export function readGroups(claims: Claims, place: string): { groups: string[]; problem?: string } {
  const value = readClaim(claims, place);
  const sign = value === undefined ? findSignOfMore(claims, place) : undefined;
  if (sign !== undefined)
    return {
      groups: [],
      problem: `the provider left out the claim ${place} (${sign}): this person is in too many groups. Have it send app roles, or only groups that are assigned to the application`,
    };
  const groups = listOf(value);
  const characters = groups.reduce((sum, group) => sum + group.length, 0);
  if (groups.length > mostGroups || characters > mostCharacters)
    return {
      groups: [],
      problem: `claim ${place} has ${groups.length} groups of ${characters} characters (at most ${mostGroups} of ${mostCharacters}): have the provider send fewer`,
    };
  return { groups };
}

/**
 * Returns the claim by which a provider says that the person has groups which the token lacks: `_claim_names` of OpenID
 * Connect Core 5.6.2, as Entra ID sends it beyond 200 groups, or Entra ID's `hasgroups`.
 */
function findSignOfMore(claims: Claims, place: string): string | undefined {
  const [name = place] = parseJsonPointer(place) ?? [place];
  const elsewhere = claims._claim_names;
  if (typeof elsewhere === "object" && elsewhere !== null && Object.hasOwn(elsewhere, name)) return "_claim_names";
  return name === "groups" && String(claims.hasgroups) === "true" ? "hasgroups" : undefined;
}

function listOf(value: unknown): string[] {
  if (typeof value === "string") return value === "" ? [] : [value];
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === "string" && item !== "") : [];
}
