"use client";

import { Button, Center } from "@mantine/core";
import { useIntersection } from "@mantine/hooks";
import { useEffect } from "react";

type LoadMoreProps = { hasMore: boolean; isLoading: boolean; onLoad: () => void };

/** Loads the next page when the end of the list scrolls into view; the button is for the keyboard. */
export function LoadMore({ hasMore, isLoading, onLoad }: LoadMoreProps) {
  const { ref, entry } = useIntersection({ rootMargin: "400px" });
  const isNear = entry?.isIntersecting === true;
  useEffect(() => {
    if (isNear && hasMore && !isLoading) onLoad();
  }, [isNear, hasMore, isLoading, onLoad]);
  if (!hasMore) return null;
  return (
    <Center ref={ref} py="md">
      <Button variant="default" size="xs" onClick={onLoad} loading={isLoading}>
        Load more
      </Button>
    </Center>
  );
}
