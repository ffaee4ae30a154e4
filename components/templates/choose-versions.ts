import type { TemplateVersion } from "#lib/contract/template.ts";

/**
 * How the URL names a version: by its number; by number and uid where the template was deleted and created anew since,
 * as numbers count from 1 again.
 */
export function versionKey(
  { version, templateUid }: Pick<TemplateVersion, "version" | "templateUid">,
  newest: Pick<TemplateVersion, "templateUid">,
): string {
  return templateUid === newest.templateUid ? String(version) : `${version}.${templateUid}`;
}

export type ChosenVersions<Version> = {
  /** The version to look at. */
  after: Version;
  /** What it is compared with; undefined for a first version, which nothing came before. */
  before: Version | undefined;
  /** Where the URL names a version that is not among those loaded. */
  missing: string | undefined;
};

/** What the page shows for `?version=` and `?with=`: the newest, and the one before it, where they say nothing. */
export function chooseVersions<Version extends Pick<TemplateVersion, "version" | "templateUid">>(
  versions: readonly Version[],
  wanted: { version: string | null; with: string | null },
): ChosenVersions<Version> | undefined {
  const [newest] = versions;
  if (newest === undefined) return undefined;
  const find = (key: string | null) => versions.find((version) => versionKey(version, newest) === key);
  const after = find(wanted.version) ?? newest;
  const before = find(wanted.with) ?? versions[versions.indexOf(after) + 1];
  const missing = [wanted.version, wanted.with].find((key) => key !== null && find(key) === undefined);
  return { after, before: before === after ? undefined : before, missing: missing ?? undefined };
}
