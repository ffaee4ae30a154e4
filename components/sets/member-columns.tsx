import { Anchor, Text } from "@mantine/core";
import { classifyStanding } from "#components/sets/classify-standing.ts";
import { classifyAnalysis } from "#components/ui/classify-state.ts";
import { CutText } from "#components/ui/hostile-text.tsx";
import { HoverLink } from "#components/ui/hover-link.tsx";
import type { Column } from "#components/ui/item-table.tsx";
import { PlaceName } from "#components/ui/place-name.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { StateBadge } from "#components/ui/state-badge.tsx";
import { describeWeight } from "#components/ui/weight-bar.tsx";
import { describeVersionPair, pairImages, shortenImage } from "#lib/client/describe-images.ts";
import { rolloutHref, runHref } from "#lib/client/rollout-path.ts";
import type { RolloutImage } from "#lib/contract/rollout.ts";
import type { SetMember } from "#lib/contract/version-set.ts";
import { currentStepNumber } from "#lib/domain/delivery/step-words.ts";

/** The link of a member: its place. */
export function MemberPlace({ member: { rollout } }: { member: SetMember }) {
  return <PlaceName href={rolloutHref(rollout)} namespace={rollout.namespace} name={rollout.name} />;
}

function nameVersions(images: readonly RolloutImage[]): string {
  const { stable } = pairImages(images);
  return describeVersionPair(images) || (stable === undefined ? "unknown" : shortenImage(stable));
}

/** The columns of a set's members. */
export const memberColumns: readonly Column<SetMember>[] = [
  {
    key: "standing",
    header: "State",
    width: "15%",
    cell: ({ standing }) => (
      <StateBadge
        shown={classifyStanding(standing)}
        size="sm"
        variant={standing === "promoted" || standing === "notBegun" ? "plain" : "tinted"}
      />
    ),
  },
  { key: "name", header: "Rollout", width: "20%", isName: true, cell: (member) => <MemberPlace member={member} /> },
  {
    key: "cluster",
    header: "Cluster",
    width: "11%",
    cell: ({ rollout: { cluster } }) => <CutText title={cluster}>{cluster}</CutText>,
  },
  {
    key: "step",
    header: "Step",
    width: "5%",
    align: "right",
    leaves: 2,
    cell: ({ rollout }) => (rollout.stepCount === 0 ? "" : `${currentStepNumber(rollout) ?? "?"}/${rollout.stepCount}`),
  },
  {
    key: "weight",
    header: "Traffic",
    width: "13%",
    leaves: 3,
    cell: ({ rollout: { weight } }) => (weight === null ? "" : describeWeight(weight)),
  },
  {
    key: "verdict",
    header: "Verdict",
    width: "10%",
    leaves: 2,
    cell: ({ verdict }) =>
      verdict === null ? (
        ""
      ) : (
        <Anchor component={HoverLink} href={runHref(verdict.runUid)} title={verdict.name} inherit>
          {classifyAnalysis(verdict.phase).word}
        </Anchor>
      ),
  },
  {
    key: "version",
    header: "Version",
    width: "17%",
    leaves: 3,
    cell: ({ rollout: { images } }) => <CutText title={nameVersions(images)}>{nameVersions(images)}</CutText>,
  },
  {
    key: "since",
    header: "Waits",
    width: "9%",
    align: "right",
    noWrap: true,
    cell: ({ rollout: { waitingSince } }) =>
      waitingSince === null ? (
        ""
      ) : (
        <Text span inherit fw={600}>
          <RelativeTime at={waitingSince} form="since" />
        </Text>
      ),
  },
];
