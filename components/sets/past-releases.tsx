"use client";

import { Skeleton, Text } from "@mantine/core";
import dynamic from "next/dynamic";
import { PageTitle } from "#components/ui/page-title.tsx";
import { LoadMore, MissingObject } from "#components/ui/query-view.tsx";
import { useReleases } from "#lib/client/rollout-queries.ts";
import { hasVersion } from "#lib/domain/delivery/version-set.ts";

const ReleaseTable = dynamic(() => import("#components/ui/release-table.tsx").then((module) => module.ReleaseTable), {
  ssr: false,
  loading: () => <Skeleton height={320} />,
});

type PastReleasesProps = { version: string; repository: string | undefined };

/** Shows the recorded releases of a version that no rollout runs or receives any more. */
export function PastReleases({ version, repository }: PastReleasesProps) {
  // The filter finds a part of an image, so also v1.2.10 for v1.2.1.
  const list = useReleases({ version: version.includes(":") ? `@${version}` : `:${version}` });
  const items = list.items?.filter(({ images }) => images.some((image) => hasVersion(image, { version, repository })));
  if (items?.length === 0 && list.hasMore)
    return <LoadMore hasMore isLoading={list.isLoadingMore} onLoad={list.loadMore} />;
  if (items?.length === 0)
    return (
      <MissingObject
        title={`No rollout runs or receives ${version}`}
        hint="Gatehouse recorded no release of it, or you may not see it."
        list="rollouts"
      />
    );
  return (
    <>
      <PageTitle>Version {version}</PageTitle>
      <Text mb="xs">
        No rollout runs {version}
        {repository !== undefined && (
          <>
            {" "}
            of <code>{repository}</code>
          </>
        )}{" "}
        now.
      </Text>
      <ReleaseTable list={{ ...list, items }} showsRollout />
    </>
  );
}
