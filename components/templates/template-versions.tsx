"use client";

import { Badge, Button, NativeSelect, Skeleton, Text } from "@mantine/core";
import { parseAsString, useQueryStates } from "nuqs";
import { useEffect } from "react";
import classes from "#components/templates/templates.module.css";
import { LoadMore, QueryView } from "#components/ui/query-view.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { Section } from "#components/ui/section.tsx";
import { SpecDiff, SpecText } from "#components/ui/spec-diff.tsx";
import type { ItemList } from "#lib/client/list-queries.ts";
import { useTemplateVersions } from "#lib/client/template-queries.ts";
import type { TemplateVersion } from "#lib/contract/template.ts";

/** Shows every spec that the template had, newest first, and the difference between two. The URL keeps which two. */
export function TemplateVersions({ id }: { id: string }) {
  const list = useTemplateVersions(id);
  return (
    <QueryView
      what="The versions"
      query={{ data: list.items, error: list.error, refetch: list.retry }}
      skeleton={<Skeleton height={240} />}
    >
      {(versions) => <Versions versions={versions} list={list} />}
    </QueryView>
  );
}

function Versions({ versions, list }: { versions: readonly TemplateVersion[]; list: ItemList<TemplateVersion> }) {
  const [wanted, setWanted] = useQueryStates(
    { version: parseAsString, with: parseAsString },
    { history: "replace", clearOnDefault: true },
  );
  const chosen = chooseVersions(versions, wanted);
  const isMissing = chosen?.missing !== undefined;
  const { hasMore, isLoadingMore, loadMore } = list;
  // A version that the URL names may be on a later page.
  useEffect(() => {
    if (isMissing && hasMore && !isLoadingMore) loadMore();
  }, [isMissing, hasMore, isLoadingMore, loadMore]);
  const [newest] = versions;
  if (chosen === undefined || newest === undefined)
    return (
      <Text size="sm" c="dimmed">
        No recorded versions.
      </Text>
    );
  return (
    <div className={classes.columns}>
      <Section id="versions" title="Versions" className={classes.panel}>
        <ol className={classes.versions}>
          {versions.map((version) => (
            <VersionRow
              key={versionKey(version, newest)}
              version={version}
              isChosen={version === chosen.after}
              onShow={() => void setWanted({ version: versionKey(version, newest), with: null })}
              isOfNewest={version.templateUid === newest.templateUid}
            />
          ))}
        </ol>
        <LoadMore hasMore={hasMore} isLoading={isLoadingMore} onLoad={loadMore} />
      </Section>
      <Comparison
        versions={versions}
        newest={newest}
        chosen={chosen}
        isSearching={isMissing && hasMore}
        onCompare={(key) => void setWanted({ version: versionKey(chosen.after, newest), with: key })}
      />
    </div>
  );
}

type VersionRowProps = { version: TemplateVersion; isChosen: boolean; isOfNewest: boolean; onShow: () => void };

function VersionRow({ version: each, isChosen, isOfNewest, onShow }: VersionRowProps) {
  const { version, current, writer, writtenAt, until } = each;
  return (
    <li className={classes.version} data-chosen={isChosen || undefined}>
      <div>
        <Text fw={600} size="sm">
          Version {version}{" "}
          {current && (
            <Badge variant="default" size="sm" tt="none">
              current
            </Badge>
          )}
          {!isOfNewest && (
            <Text span size="xs" c="dimmed" fw={400}>
              before it was deleted and recreated
            </Text>
          )}
        </Text>
        <Text size="xs" c="dimmed">
          {writer === null ? "Unknown writer" : `By ${writer}`}, <RelativeTime at={writtenAt} />
          {until === null ? (
            current ? (
              ", still in force"
            ) : (
              ""
            )
          ) : (
            <>
              {" "}
              until <RelativeTime at={until} />
            </>
          )}
        </Text>
      </div>
      <Button
        size="compact-xs"
        variant={isChosen ? "light" : "default"}
        aria-pressed={isChosen}
        aria-label={`Show version ${version}`}
        onClick={onShow}
      >
        Show
      </Button>
    </li>
  );
}

type ComparisonProps = {
  versions: readonly TemplateVersion[];
  newest: TemplateVersion;
  chosen: ChosenVersions<TemplateVersion>;
  /** True while a version that the URL names is still being loaded. */
  isSearching: boolean;
  onCompare: (key: string) => void;
};

function Comparison({ versions, newest, chosen, isSearching, onCompare }: ComparisonProps) {
  const { after, before, missing } = chosen;
  const name = (version: TemplateVersion) =>
    version.templateUid === newest.templateUid ? `version ${version.version}` : `version ${version.version}, before`;
  if (isSearching) return <Skeleton height={240} />;
  return (
    <Section
      id="comparison"
      title={before === undefined ? `Version ${after.version}` : `What version ${after.version} changed`}
      className={classes.panel}
    >
      {missing !== undefined && (
        <Text size="sm" c="var(--gh-orange-text)" mb="xs">
          Version {missing.split(".")[0]} is not recorded; showing the newest instead.
        </Text>
      )}
      {versions.length > 1 && (
        <NativeSelect
          size="xs"
          w="fit-content"
          maw="100%"
          mb="xs"
          label="Compared with"
          value={versionKey(before ?? after, newest)}
          data={versions.map((version) => ({
            value: versionKey(version, newest),
            label: version === after ? "nothing: the whole spec" : name(version),
          }))}
          onChange={(event) => onCompare(event.currentTarget.value)}
        />
      )}
      {before === undefined ? (
        <SpecText spec={after.spec} label={`Spec of version ${after.version}`} />
      ) : (
        <SpecDiff before={before.spec} after={after.spec} label={`Difference from ${name(before)} to ${name(after)}`} />
      )}
    </Section>
  );
}

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

type ChosenVersions<Version> = {
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
