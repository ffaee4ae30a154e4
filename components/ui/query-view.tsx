"use client";

import { Alert, Anchor, Button, Center, EmptyState, Group, Stack, Text, VisuallyHidden } from "@mantine/core";
import { useIntersection } from "@mantine/hooks";
import Link from "next/link";
import { useEffect } from "react";
import { IconAlertTriangle, IconRefresh, IconZoomQuestion } from "#components/ui/icons.tsx";
import { PageTitle } from "#components/ui/page-title.tsx";
import { type GatehouseError, isGatehouseError } from "#packages/client/src/gatehouse-error.ts";

type ErrorNoticeProps = { error: Error; what: string; onRetry?: () => void };

/** Shows what failed, why, and what to do; with a retry. */
export function ErrorNotice({ error, what, onRetry }: ErrorNoticeProps) {
  const requestId = isGatehouseError(error) ? error.requestId : undefined;
  return (
    <Alert
      color="red"
      variant="outline"
      icon={<IconAlertTriangle size={18} />}
      title={`${what} could not be loaded`}
      role="alert"
      bg="var(--gh-surface)"
    >
      <Text size="sm">{describeError(error)}</Text>
      <Group mt="sm" gap="sm">
        {onRetry !== undefined && (
          <Button size="xs" variant="default" leftSection={<IconRefresh size={14} />} onClick={onRetry}>
            Try again
          </Button>
        )}
        {requestId !== undefined && (
          <Text size="xs" c="dimmed">
            Request {requestId}
          </Text>
        )}
      </Group>
    </Alert>
  );
}

function describeError(error: Error): string {
  return isGatehouseError(error) ? error.message : "Something went wrong on this page. Reload it to continue.";
}

type NothingHereProps = {
  icon: React.ReactNode;
  title: string;
  hint: React.ReactNode;
  action?: React.ReactNode;
};

/** Shows an empty state: what would be here and how to get it. */
export function NothingHere({ icon, title, hint, action }: NothingHereProps) {
  return (
    <EmptyState icon={icon} py="xl">
      <EmptyState.Title>{title}</EmptyState.Title>
      <EmptyState.Description>{hint}</EmptyState.Description>
      {action !== undefined && <EmptyState.Actions>{action}</EmptyState.Actions>}
    </EmptyState>
  );
}

type MissingObjectProps = {
  title: string;
  hint?: string | undefined;
  /** The list that it would be in, as in its address: `analysis-runs`. */
  list: string;
};

/** Says on the whole page that a thing does not exist, and leads back to its list. */
export function MissingObject({ title, hint = neverRecorded, list }: MissingObjectProps) {
  return (
    <Stack gap="xs">
      <PageTitle>{title}</PageTitle>
      <Text c="dimmed">{hint}</Text>
      <Group gap="md">
        <Anchor component={Link} href="/inbox">
          Go to inbox
        </Anchor>
        <Anchor component={Link} href={`/${list}`}>
          Go to {list.replaceAll("-", " ")}
        </Anchor>
      </Group>
    </Stack>
  );
}

const neverRecorded = "It doesn't exist, or you don't have access.";

type QueryViewProps<Data> = {
  /** What is shown, as a noun for the error: "The inbox". */
  what: string;
  query: { data: Data | undefined; error: Error | null; refetch: () => unknown };
  skeleton: React.ReactNode;
  /** What it says if the thing does not exist; with its list, it is a page of its own. */
  missing?: { title: string; hint?: string; codes?: readonly GatehouseError["code"][]; list?: string };
  children: (data: Data) => React.ReactNode;
};

/**
 * Handles the states of everything that is loaded. If a refetch fails, existing data stays, under a notice that it may
 * be stale; without data, an error takes precedence over anything else.
 */
export function QueryView<Data>({ what, query, skeleton, missing, children }: QueryViewProps<Data>) {
  const { data, error } = query;
  const retry = () => void query.refetch();
  if (data === undefined) {
    const { title, hint, list, codes = ["not_found"] } = missing ?? {};
    if (title !== undefined && codes.some((code) => isGatehouseError(error, code)))
      return list === undefined ? (
        <NothingHere icon={<IconZoomQuestion size={40} stroke={1.2} />} title={title} hint={hint ?? neverRecorded} />
      ) : (
        <MissingObject title={title} hint={hint} list={list} />
      );
    return error === null ? (
      <div aria-busy="true">
        <VisuallyHidden role="status">Loading</VisuallyHidden>
        {skeleton}
      </div>
    ) : (
      <ErrorNotice error={error} what={what} onRetry={retry} />
    );
  }
  return (
    <>
      {error !== null && (
        <Alert
          color="yellow"
          variant="outline"
          mb="sm"
          role="status"
          bg="var(--gh-surface)"
          icon={<IconAlertTriangle size={18} />}
        >
          <Group gap="sm" justify="space-between">
            <Text size="sm">This page may be out of date: {describeError(error)}</Text>
            <Button size="xs" variant="default" onClick={retry}>
              Try again
            </Button>
          </Group>
        </Alert>
      )}
      {children(data)}
    </>
  );
}

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
