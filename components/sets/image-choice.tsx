"use client";

import { Anchor, Text } from "@mantine/core";
import Link from "next/link";
import { classifyStanding } from "#components/sets/classify-standing.ts";
import { CutText } from "#components/ui/hostile-text.tsx";
import { type Column, ItemTable } from "#components/ui/item-table.tsx";
import { PageTitle } from "#components/ui/page-title.tsx";
import { StateBadge } from "#components/ui/state-badge.tsx";
import { RowLink } from "#components/ui/table-parts.tsx";
import { rolloutHref } from "#lib/client/rollout-path.ts";
import { versionHref } from "#lib/client/set-queries.ts";
import type { VersionSet } from "#lib/contract/version-set.ts";
import { formatStandings, standings } from "#lib/domain/delivery/version-set.ts";
import { capital, formatCount } from "#lib/util/words.ts";

type ImageCount = VersionSet["imageCounts"][number];

/** Asks which of several images with the same version is meant: they need not belong together. */
export function ImageChoice({ set: { version, imageCounts } }: { set: VersionSet }) {
  const link = ({ image, only }: ImageCount) => {
    const href = only === null ? versionHref(version, { image }) : rolloutHref(only);
    return (
      <RowLink href={href}>
        <CutText title={image}>{image}</CutText>
      </RowLink>
    );
  };
  const columns: Column<ImageCount>[] = [
    { key: "image", header: "Image", width: "45%", isName: true, cell: link },
    { key: "state", header: "State", width: "55%", cell: (row) => <ImageState row={row} /> },
  ];
  return (
    <>
      <PageTitle>Version {version}</PageTitle>
      <Text mb="xs">
        {version} is a {version.includes(":") ? "digest" : "tag"} of {formatCount(imageCounts.length)} images. Choose
        one.
      </Text>
      <ItemTable
        caption="Images with this version"
        columns={columns}
        rows={imageCounts.map((item) => ({ key: item.image, item, isGone: false }))}
        card={(item) => (
          <>
            {link(item)}
            <Text component="div" size="sm">
              <ImageState row={item} />
            </Text>
          </>
        )}
      />
      <Text size="sm" mt="xs">
        <Anchor component={Link} prefetch={false} href={versionHref(version, { images: "all" })}>
          All images with this version
        </Anchor>
      </Text>
    </>
  );
}

/** Shows the state of the only rollout with its name, or how many of several are in each state. */
function ImageState({ row: { counts, only } }: { row: ImageCount }) {
  const standing = standings.find((each) => counts[each] > 0);
  if (only === null || standing === undefined) return capital(formatStandings(counts));
  const place = `${only.namespace}/${only.name} in ${only.cluster}`;
  return (
    <>
      <StateBadge shown={classifyStanding(standing)} size="sm" /> <CutText title={place}>{place}</CutText>
    </>
  );
}
