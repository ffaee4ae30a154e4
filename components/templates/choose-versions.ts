import type { TemplateVersion } from "#lib/contract/template.ts";

/**
 * Returns how the URL names a version: by its number, plus the uid if the template was deleted and re-created since,
 * because numbers then start at 1 again.
 */
export function versionKey(
  { version, templateUid }: Pick<TemplateVersion, "version" | "templateUid">,
  newest: Pick<TemplateVersion, "templateUid">,
): string {
  return templateUid === newest.templateUid ? String(version) : `${version}.${templateUid}`;
}

export type ChosenVersions<Version> = {
  /** The selected version. */
  after: Version;
  /** The version to compare with; undefined for a first version. */
  before: Version | undefined;
  /** Set if the URL names a version that is not loaded. */
  missing: string | undefined;
};

/** Chooses the versions to show for `?version=` and `?with=`; by default the newest and the one before it. */
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
