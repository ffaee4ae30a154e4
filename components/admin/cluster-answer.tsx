"use client";

import { Button, Code, Table, Text } from "@mantine/core";
import { useState } from "react";
import classes from "#components/admin/admin.module.css";
import { ErrorNotice } from "#components/ui/query-view.tsx";
import { TableHead } from "#components/ui/table-head.tsx";
import { useClusterPermissions } from "#lib/client/admin-queries.ts";
import type { ClusterPermissions, PermissionAnswer } from "#lib/contract/admin-access.ts";

type ClusterAnswerProps = { query: Record<string, string>; place: NonNullable<PermissionAnswer["place"]> };

/** Asks the cluster, on a click: its own RBAC must allow an action too. */
export function ClusterAnswer({ query, place }: ClusterAnswerProps) {
  const [isAsked, setAsked] = useState(false);
  const { data, error, isFetching, refetch } = useClusterPermissions(query, isAsked);
  return (
    <section aria-label="The cluster's own answer" className={classes.cluster}>
      <Text size="sm" c="dimmed" mb="xs">
        The cluster decides as well, by its own RBAC. Asking changes nothing there.
      </Text>
      <Button
        size="xs"
        variant="default"
        loading={isFetching}
        onClick={() => (isAsked ? void refetch() : setAsked(true))}
      >
        Ask cluster {place.cluster}
      </Button>
      {error !== null && <ErrorNotice error={error} what="The cluster's answer" onRetry={() => void refetch()} />}
      {data !== undefined && <Answer answer={data} />}
    </section>
  );
}

const columns = [{ header: "Answer", width: "22%" }, { header: "Right", width: "34%" }, { header: "Needed for" }];

const answerWords = { allowed: "Allowed", denied: "Denied", unknown: "No answer" } as const;

function Answer({ answer: { text, rule, rights } }: { answer: ClusterPermissions }) {
  return (
    <>
      <Text size="sm" mt="xs">
        <bdi>{text}</bdi>
      </Text>
      {rule !== null && (
        <Text size="sm" component="div">
          Add this rule to a ClusterRole of Gatehouse's account (deploy/rbac-review.yaml):
          <Code block>{rule}</Code>
        </Text>
      )}
      {rights.length > 0 && (
        <Table className={classes.verdicts} aria-label="The cluster's answers">
          <TableHead columns={columns} />
          <Table.Tbody>
            {rights.map(({ right, resource, actions, answer }) => (
              <Table.Tr key={`${right} ${resource}`} data-row>
                <Table.Th scope="row">{answerWords[answer]}</Table.Th>
                <Table.Td>
                  <code>{right}</code> <bdi>{resource}</bdi>
                </Table.Td>
                <Table.Td>{actions.join(", ")}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </>
  );
}
