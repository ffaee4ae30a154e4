"use client";

import { Button, Code, CopyButton, Group, Skeleton, Text } from "@mantine/core";
import classes from "#components/rollouts/rollouts.module.css";
import { QueryView } from "#components/ui/query-view.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { useRolloutObject } from "#lib/client/rollout-queries.ts";
import type { ObjectRef } from "#lib/domain/delivery/object-ref.ts";

/** Shows the object as the cluster has it now, read as the signed-in person, with secrets redacted. */
export function ObjectTab({ rollout }: { rollout: ObjectRef }) {
  const { data, error, refetch, isFetching, dataUpdatedAt } = useRolloutObject(rollout);
  return (
    <QueryView what="The live object" query={{ data, error, refetch }} skeleton={<Skeleton height={300} />}>
      {(object) => {
        const text = JSON.stringify(object, null, 2);
        return (
          <>
            <Group justify="space-between" mb="xs">
              <Text size="sm" c="dimmed">
                Read from the cluster <RelativeTime at={new Date(dataUpdatedAt).toISOString()} />, with your own rights;
                secrets are left out.
              </Text>
              <Group gap="xs">
                <CopyButton value={text}>
                  {({ copied, copy }) => (
                    <Button size="xs" variant="default" onClick={copy}>
                      {copied ? "Copied" : "Copy"}
                    </Button>
                  )}
                </CopyButton>
                <Button size="xs" variant="default" loading={isFetching} onClick={() => void refetch()}>
                  Read again
                </Button>
              </Group>
            </Group>
            <Code block className={classes.object} tabIndex={0} role="region" aria-label="Live object">
              {text}
            </Code>
          </>
        );
      }}
    </QueryView>
  );
}
