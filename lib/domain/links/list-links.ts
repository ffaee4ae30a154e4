import { matchesAny } from "#lib/domain/policy/match-glob.ts";
import { expandLink, parseAddress, parseLinkTemplate } from "./link-template.ts";
import { type LinkFacts, type LinkPlace, linkValuesOf } from "./link-values.ts";

/** A link of the config, with patterns of the objects that show it. */
export type ConfiguredLink = {
  name: string;
  url: string;
  clusters: readonly string[];
  namespaces: readonly string[];
  /** Kinds of rollouts, or of the objects that created a run. If absent, every kind, and runs without an owner. */
  kinds?: readonly string[] | undefined;
  on: readonly LinkPlace[];
};

/**
 * Returns the links of the config for one object, in the order of the config; links with a missing value are left out.
 */
export function listConfiguredLinks(
  links: readonly ConfiguredLink[],
  { on, facts }: { on: LinkPlace; facts: LinkFacts },
): { name: string; href: string }[] {
  const wanted = links.filter((link) => isShownAt(link, on, facts));
  if (wanted.length === 0) return [];
  const values = linkValuesOf(facts);
  return wanted.flatMap(({ name, url }) => {
    const parsed = parseLinkTemplate(url);
    const href = parsed.ok ? expandLink(parsed.template, values) : undefined;
    return href === undefined ? [] : [{ name, href }];
  });
}

function isShownAt(link: ConfiguredLink, place: LinkPlace, facts: LinkFacts): boolean {
  const { cluster, namespace, kind, creatorKind } = facts;
  const shownKind = kind ?? creatorKind;
  return (
    link.on.includes(place) &&
    matchesAny(link.clusters, cluster) &&
    matchesAny(link.namespaces, namespace) &&
    (link.kinds === undefined || (shownKind !== undefined && link.kinds.includes(shownKind)))
  );
}

const prefix = "gatehouse.dev/link.";
const maxLinks = 10;
const maxLength = 2000;

/**
 * Reads the links of a rollout from its annotations `gatehouse.dev/link.NAME`. Any user who may change the rollout can
 * write them: only http and https, without a user part and without characters that are invisible or change the
 * direction of the text. Others are left out. Sorted by name, at most ten.
 */
export function readAnnotationLinks(annotations: Readonly<Record<string, string>>): { name: string; href: string }[] {
  return Object.entries(annotations)
    .flatMap(([key, value]) => {
      const name = key.startsWith(prefix) ? key.slice(prefix.length) : "";
      if (!/^[A-Za-z0-9][\w.-]{0,62}$/.test(name) || value.length > maxLength) return [];
      const text = value.trim();
      if (/[\s\\<>"`\p{Cc}\p{Cf}]/u.test(text)) return [];
      const href = parseAddress(text)?.href;
      return href === undefined ? [] : [{ name, href }];
    })
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .slice(0, maxLinks);
}
