import { Skeleton, Stack } from "@mantine/core";

/** Fills a page that loads. A block without a width is as wide as the page. */
export function PageSkeleton({ blocks }: { blocks: readonly (readonly [height: number, width?: string])[] }) {
  return (
    <Stack gap="md" aria-hidden="true">
      {blocks.map(([height, width = "100%"], index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the blocks never move.
        <Skeleton key={index} height={height} width={width} />
      ))}
    </Stack>
  );
}
