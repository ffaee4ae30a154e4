"use client";

import { Anchor, Group, Skeleton, Text } from "@mantine/core";
import dynamic from "next/dynamic";
import Link from "next/link";
import { ChooseBox, chooseColumn } from "#components/actions/choose-box.tsx";
import { useChosen, useMayChoose } from "#components/actions/use-chosen.ts";
import { classifyStanding } from "#components/sets/classify-standing.ts";
import { MemberPlace, memberColumns } from "#components/sets/member-columns.tsx";
import { WaveBoard } from "#components/sets/wave-board.tsx";
import { ClusterChoice, FilterBar, FilterChoice, FilterText } from "#components/ui/filter-bar.tsx";
import { HostileText } from "#components/ui/hostile-text.tsx";
import { IconStack2 } from "#components/ui/icons.tsx";
import { ListView } from "#components/ui/list-view.tsx";
import { PageTitle, usePageTitle } from "#components/ui/page-title.tsx";
import { QueryView } from "#components/ui/query-view.tsx";
import { StateBadge } from "#components/ui/state-badge.tsx";
import { useFilters } from "#components/ui/use-filters.ts";
import { useVersionMembers, useVersionSet, versionHref } from "#lib/client/set-queries.ts";
import { useMe } from "#lib/client/system-queries.ts";
import type { RolloutSummary } from "#lib/contract/rollout.ts";
import type { SetMember, VersionSet } from "#lib/contract/version-set.ts";
import { standings } from "#lib/domain/delivery/version-set.ts";
import { formatCount } from "#lib/util/words.ts";
import { isGatehouseError } from "#packages/client/src/gatehouse-error.ts";

const ChosenBar = dynamic(() => import("#components/actions/chosen-bar.tsx").then((module) => module.ChosenBar), {
  ssr: false,
});
const SetAborts = dynamic(() => import("#components/actions/set-aborts.tsx").then((module) => module.SetAborts), {
  ssr: false,
});
const MetricMultiples = dynamic(
  () => import("#components/sets/metric-multiples.tsx").then((module) => module.MetricMultiples),
  { ssr: false, loading: () => <Skeleton height={30} mb="md" /> },
);
const VersionDifferences = dynamic(
  () => import("#components/sets/version-differences.tsx").then((module) => module.VersionDifferences),
  { ssr: false, loading: () => <Skeleton height={30} mb="md" /> },
);
const PastReleases = dynamic(() => import("#components/sets/past-releases.tsx").then((module) => module.PastReleases), {
  ssr: false,
  loading: () => <Skeleton height={320} />,
});

const ImageChoice = dynamic(() => import("#components/sets/image-choice.tsx").then((module) => module.ImageChoice), {
  ssr: false,
  loading: () => <Skeleton height={320} />,
});
const ChooseRest = dynamic(() => import("#components/sets/choose-rest.tsx").then((module) => module.ChooseRest), {
  ssr: false,
});

/** What the page is about; clearing the filters keeps it. */
const choiceNames = ["image", "images"] as const;
const filterNames = ["q", "cluster", "namespace", "standing", "label"] as const;
const standingOptions = standings.map((value) => ({ value, label: classifyStanding(value).word }));

const empty = {
  icon: <IconStack2 size={40} stroke={1.2} />,
  hint: "Rollouts that run or receive this version appear here, and those that run another version of the same image.",
};

/** Shows how far a version has got in every rollout, and acts on many of them at once. */
export function VersionSetPage({ version }: { version: string }) {
  usePageTitle(version);
  const { image, images } = useFilters(choiceNames).values;
  const query = useVersionSet(version, image === "" ? {} : { image });
  if (query.data === undefined && isGatehouseError(query.error, "not_found"))
    return <PastReleases version={version} repository={image === "" ? undefined : image} />;
  return (
    <QueryView what="The version" query={query} skeleton={<Skeleton height={320} />}>
      {(set) =>
        // Different services may have the same tag: no list, and so no action, joins them unasked.
        image === "" && images !== "all" && set.images.length > 1 ? (
          <ImageChoice set={set} />
        ) : (
          // Rollouts chosen in one image are not chosen in another.
          <SetView key={image} set={set} image={image} />
        )
      }
    </QueryView>
  );
}

type SetViewProps = { set: VersionSet; image: string };

function SetView({ set, image }: SetViewProps) {
  const { version, sentence, images } = set;
  const filters = useFilters(filterNames);
  const applied = Object.fromEntries(Object.entries({ ...filters.applied, image }).filter(([, value]) => value !== ""));
  const list = useVersionMembers(version, applied);
  const items = list.items ?? [];
  const chosen = useChosen(listCurrent(items));
  const mayChoose = useMayChoose();
  const hasSets = (useMe().data?.sets ?? []).length > 0;
  const lead = mayChoose ? chooseColumn({ chosen, items, rolloutOf, isOther }) : undefined;
  return (
    <>
      <PageTitle>Version {version}</PageTitle>
      <Text mb="xs">{sentence}.</Text>
      {hasSets && <SetAborts version={version} />}
      <HeldBack members={items} />
      <Images version={version} image={image} images={images} />
      <WaveBoard
        set={set}
        chosen={filters.values}
        onChoose={{ cluster: filters.set("cluster"), label: filters.set("label") }}
      />
      <VersionDifferences version={version} filters={applied} isListed={list.items !== undefined} />
      <MetricMultiples version={version} filters={applied} />
      <FilterBar isFiltered={filters.isFiltered} onClear={filters.clear}>
        <FilterText
          label="Search"
          placeholder="Name or namespace"
          isSearch
          value={filters.values.q}
          onChange={filters.set("q")}
        />
        <FilterChoice
          label="State"
          value={filters.values.standing}
          options={standingOptions}
          onChange={filters.set("standing")}
        />
        <ClusterChoice value={filters.values.cluster} onChange={filters.set("cluster")} />
        <FilterText label="Namespace" value={filters.values.namespace} onChange={filters.set("namespace")} />
      </FilterBar>
      <ListView
        caption="Rollouts of this version"
        list={list}
        filters={filters}
        filterKey={JSON.stringify(filters.applied)}
        keyOf={({ rollout }) => rollout.id}
        columns={memberColumns}
        lead={lead}
        card={(member) => (
          <>
            <Group gap={8}>
              {mayChoose && <ChooseBox chosen={chosen} rollout={member.rollout} isOther={isOther(member)} />}
              <StateBadge shown={classifyStanding(member.standing)} size="sm" />
            </Group>
            <Text component="div" fw={600} mt={6}>
              <MemberPlace member={member} />
            </Text>
            <Text size="sm" c="dimmed">
              {member.rollout.cluster}
            </Text>
          </>
        )}
        empty={empty}
        isFiltered={filters.isFiltered}
        onClear={filters.clear}
      />
      <ChosenBar
        chosen={chosen}
        of={version}
        more={<ChooseRest list={list} listCurrent={listCurrent} onChoose={chosen.choose} />}
      />
    </>
  );
}

function rolloutOf({ rollout }: SetMember): RolloutSummary {
  return rollout;
}

/** An action on such a member would be about the other version that it rolls out. */
function isOther({ current }: SetMember): boolean {
  return !current;
}

function listCurrent(members: readonly SetMember[]): RolloutSummary[] {
  return members.filter((member) => !isOther(member)).map(rolloutOf);
}

/** Reasons that are shown; the pages of the other rollouts have theirs. */
const mostReasons = 3;

/** Shows for which members of a set the others wait, each reason once. */
function HeldBack({ members }: { members: readonly SetMember[] }) {
  const reasons = [...new Set(members.flatMap(({ heldBack }) => heldBack ?? []))];
  return reasons.slice(0, mostReasons).map((reason) => (
    <Text key={reason} mb="xs" c="var(--gh-amber-text)">
      <HostileText text={reason} />
    </Text>
  ));
}

type ImagesProps = { version: string; image: string; images: readonly string[] };

/** Says which of several images the rollouts have, and leads to the others. */
function Images({ version, image, images }: ImagesProps) {
  if (image === "" && images.length < 2) return null;
  return (
    <Text size="sm" c="dimmed" mb="xs">
      {image === "" ? (
        `All ${formatCount(images.length)} images with this version`
      ) : (
        <>
          Only image <code>{image}</code>
        </>
      )}{" "}
      <Anchor
        component={Link}
        prefetch={false}
        href={versionHref(version, image === "" ? undefined : { images: "all" })}
      >
        {image === "" ? "Choose an image" : "All images with this version"}
      </Anchor>
    </Text>
  );
}
