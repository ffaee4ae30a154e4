import { nextTags, servingTags } from "#lib/domain/kube/read-image-version.ts";
import { redacted } from "#lib/domain/storable/redact-text.ts";

/** The places that can show a link. Rows of the inbox show the links of their rollout. */
export const linkPlaces = ["rollout", "release", "run", "metric"] as const;
export type LinkPlace = (typeof linkPlaces)[number];

/** The placeholders, each with the places that may have a value for it. */
const everywhere = linkPlaces;
const ofRuns = ["run", "metric"] as const;
export const placeholders = {
  cluster: everywhere,
  namespace: everywhere,
  name: everywhere,
  kind: everywhere,
  podHash: everywhere,
  stableHash: ["rollout"],
  revision: everywhere,
  image: everywhere,
  imageTag: everywhere,
  from: everywhere,
  fromMs: everywhere,
  to: everywhere,
  toMs: everywhere,
  run: ofRuns,
  creatorKind: ofRuns,
  creator: ofRuns,
  metric: ["metric"],
  query: ["metric"],
} as const satisfies Record<string, readonly LinkPlace[]>;
export type Placeholder = keyof typeof placeholders;

/** A missing value hides the links that need it. */
export type LinkValues = Partial<Record<Placeholder, string>>;

export type LinkFacts = {
  cluster: string;
  namespace: string;
  /** Of the rollout; null for a run that no rollout owns. */
  name: string | null;
  kind: string | null;
  podHash?: string | null | undefined;
  stableHash?: string | null | undefined;
  revision?: number | null | undefined;
  image?: string | undefined;
  /** ISO 8601. */
  from?: string | null | undefined;
  to?: string | null | undefined;
  run?: string | undefined;
  /** The object of another controller that a run belongs to, such as Kargo's Stage. */
  creatorKind?: string | undefined;
  creator?: string | undefined;
  metric?: string | undefined;
  query?: string | null | undefined;
};

/** Returns the values of the placeholders. An empty text is no value, and neither is one with a redacted part. */
export function linkValuesOf(facts: LinkFacts): LinkValues {
  const { revision, image, from, to, ...texts } = facts;
  const found: Record<string, string | null | undefined> = {
    ...texts,
    revision: revision === null || revision === undefined ? undefined : String(revision),
    image,
    imageTag: image === undefined ? undefined : tagOf(image),
    ...timesOf("from", from),
    ...timesOf("to", to),
  };
  return Object.fromEntries(Object.entries(found).filter((entry): entry is [string, string] => isValue(entry[1])));
}

function isValue(text: string | null | undefined): text is string {
  return text !== undefined && text !== null && text !== "" && !text.includes(redacted);
}

/** Returns the tag of an image; undefined if it has none, or only a digest. A port of the registry is no tag. */
function tagOf(image: string): string | undefined {
  const [reference = ""] = image.split("@");
  const name = reference.slice(reference.lastIndexOf("/") + 1);
  const colon = name.indexOf(":");
  return colon === -1 ? undefined : name.slice(colon + 1);
}

function timesOf(key: "from" | "to", iso: string | null | undefined): LinkValues {
  const ms = iso === null || iso === undefined ? Number.NaN : Date.parse(iso);
  return Number.isNaN(ms) ? {} : { [key]: new Date(ms).toISOString(), [`${key}Ms`]: String(ms) };
}

type TaggedImage = { image: string; tags: readonly string[] };

/** Returns the image that is rolled out, else the one that serves. */
export function chooseImage(images: readonly TaggedImage[]): string | undefined {
  const find = (wanted: readonly string[]) =>
    images.find(({ tags }) => tags.some((tag) => wanted.includes(tag)))?.image;
  return find(nextTags) ?? find(servingTags) ?? images[0]?.image;
}
