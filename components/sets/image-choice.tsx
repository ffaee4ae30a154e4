"use client";

import { Anchor, Text } from "@mantine/core";
import Link from "next/link";
import { CutText } from "#components/ui/hostile-text.tsx";
import { type Column, ItemTable } from "#components/ui/item-table.tsx";
import { PageTitle } from "#components/ui/page-title.tsx";
import { RowLink } from "#components/ui/table-parts.tsx";
import { versionHref } from "#lib/client/set-queries.ts";
import type { VersionSet } from "#lib/contract/version-set.ts";
import { formatCount, formatCountOf } from "#lib/util/words.ts";

type ImageCount = VersionSet["imageCounts"][number];

/** Asks which of several images with the same version is meant: they need not belong together. */
export function ImageChoice({ set: { version, imageCounts } }: { set: VersionSet }) {
  const link = ({ image }: ImageCount) => (
    <RowLink href={versionHref(version, { image })}>
      <CutText title={image}>{image}</CutText>
    </RowLink>
  );
  const columns: Column<ImageCount>[] = [
    { key: "image", header: "Image", width: "80%", isName: true, cell: link },
    { key: "rollouts", header: "Rollouts", width: "20%", align: "right", cell: (row) => formatCount(row.rollouts) },
  ];
  return (
    <>
      <PageTitle>Version {version}</PageTitle>
      <Text mb="xs">
        The {version.includes(":") ? "digest" : "tag"} {version} is used by {formatCount(imageCounts.length)} images,
        which need not belong together. Choose one.
      </Text>
      <ItemTable
        caption="Images with this version"
        columns={columns}
        rows={imageCounts.map((item) => ({ key: item.image, item, isGone: false }))}
        card={(item) => (
          <>
            {link(item)}
            <Text size="sm" c="dimmed">
              {formatCountOf(item.rollouts, "rollout")}
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
