import type { DeliveryKind } from "#lib/domain/delivery/delivery-kind.ts";
import type { ObjectRef } from "#lib/domain/delivery/object-ref.ts";
import { redacted } from "#lib/domain/storable/redact-text.ts";
import { cutText } from "#lib/util/text.ts";

/** The fields that members of a set are compared by, in the order of a page. */
export const comparedKinds = ["image", "steps", "template", "argument"] as const;
type ComparedKind = (typeof comparedKinds)[number];

/** A value of a rollout's spec. `name` of an argument: with its template or metric, such as `threshold of success-rate`. */
export type Setting = { kind: "steps" | "argument"; name: string | null; value: string };

type Place = ObjectRef & { kind: DeliveryKind };

export type ComparedMember = {
  place: Place;
  /** Of the revision that it wants, as the spec has them; empty if they are not known. */
  images: readonly string[];
  /** Hash of the spec of each template that it names, by `Kind/name`; null if it is not recorded. */
  templates: Readonly<Record<string, string | null>>;
  /** Undefined if its spec is not known. */
  settings: readonly Setting[] | undefined;
};

/** `none`: these members do not have the field. `unknown`: their value is not recorded, and so equal to no other. */
type ValueGroup = {
  state: "value" | "none" | "unknown";
  value: string | null;
  count: number;
  /** More than half of the members, which are then not listed. */
  isMost: boolean;
  rollouts: Place[];
};

type DifferingField = { kind: ComparedKind; name: string | null; groups: ValueGroup[]; moreGroups: number };

const mostSettings = 100;
const mostCompared = 200;
const mostFields = 20;
const mostGroups = 10;
const mostListed = 20;
const mostCharacters = 300;

type Field = { kind: ComparedKind; name: string | null };
type Seen = { place: Place; values: ReadonlyMap<string, string | null>; unread: readonly ComparedKind[] };

/** `moreFields` counts further ones, `notCompared` the fields beyond those that are compared. */
type Differences = { fields: DifferingField[]; moreFields: number; notCompared: number };

/** Finds the fields whose values differ between the members, or are unknown of some. */
export function compareMembers(members: readonly ComparedMember[]): Differences {
  const named = new Map<string, Field>();
  const seen = members.map((member) => readMember(member, named));
  // A kind that is unknown of some members must not be missing for want of names.
  for (const kind of new Set(seen.flatMap(({ unread }) => unread)))
    if (![...named.values()].some((field) => field.kind === kind))
      named.set(keyOf({ kind, name: null }), { kind, name: null });
  const ordered = [...named].sort(([one, field], [other, against]) => {
    const ranks = comparedKinds.indexOf(field.kind) - comparedKinds.indexOf(against.kind);
    return ranks || (one < other ? -1 : 1);
  });
  const differing = ordered.slice(0, mostCompared).flatMap(([key, field]) => compareField(seen, key, field) ?? []);
  const fields = differing.slice(0, mostFields);
  const notCompared = Math.max(ordered.length - mostCompared, 0);
  return { fields, moreFields: differing.length - fields.length, notCompared };
}

function keyOf({ kind, name }: Field): string {
  return JSON.stringify([kind, name]);
}

/** Reads the values of a member by field, null if unknown, and notes the fields. */
function readMember({ place, images, templates, settings }: ComparedMember, fields: Map<string, Field>): Seen {
  const named = Object.entries(templates);
  const isRead = settings !== undefined && settings.length <= mostSettings;
  const values = new Map<string, string | null>();
  const note = (field: Field, value: string | null) => {
    const key = keyOf(field);
    fields.set(key, field);
    // The secrets that were removed may differ.
    values.set(key, value?.includes(redacted) === true ? null : value);
  };
  if (images.length > 0) note({ kind: "image", name: null }, images.toSorted().join(", "));
  if (named.length <= mostSettings) for (const [name, hash] of named) note({ kind: "template", name }, hash);
  if (isRead) for (const { kind, name, value } of settings) note({ kind, name }, value);
  const unread: ComparedKind[] = [];
  if (images.length === 0) unread.push("image");
  // A template that is not recorded may be composed of any others.
  if (named.length > mostSettings || named.some(([, hash]) => hash === null)) unread.push("template");
  if (!isRead) unread.push("steps", "argument");
  return { place, values, unread };
}

function compareField(seen: readonly Seen[], key: string, { kind, name }: Field): DifferingField | undefined {
  const byValue = Map.groupBy(seen, ({ values, unread }) => {
    const value = values.get(key);
    return value === undefined && unread.includes(kind) ? null : value;
  });
  const unknown = byValue.get(null) ?? [];
  if (byValue.size === 1 && unknown.length === 0) return undefined;
  const known = [...byValue]
    .flatMap(([value, own]) => (value === null ? [] : [{ value, own }]))
    .sort(
      (one, other) =>
        other.own.length - one.own.length || ((one.value ?? "\uffff") < (other.value ?? "\uffff") ? -1 : 1),
    );
  const groups = known.slice(0, mostGroups).map(({ value, own }): ValueGroup => {
    const isMost = own.length * 2 > seen.length;
    return {
      state: value === undefined ? "none" : "value",
      value: value === undefined ? null : cutText(value, mostCharacters),
      count: own.length,
      isMost,
      rollouts: isMost ? [] : listPlaces(own),
    };
  });
  if (unknown.length > 0)
    groups.push({
      state: "unknown",
      value: null,
      count: unknown.length,
      isMost: false,
      rollouts: listPlaces(unknown),
    });
  return {
    kind,
    name: name === null ? null : cutText(name, mostCharacters),
    groups,
    moreGroups: known.length - Math.min(known.length, mostGroups),
  };
}

function listPlaces(seen: readonly Seen[]): Place[] {
  return seen
    .slice(0, mostListed)
    .map(({ place: { cluster, namespace, kind, name } }) => ({ cluster, namespace, kind, name }));
}
