import { Alert, Stack, Table, Text } from "@mantine/core";
import classes from "#components/actions/actions.module.css";
import { formatViewValue } from "#components/actions/format-change.ts";
import type { Conflict } from "#components/actions/read-conflict.ts";

/** The view changed before the click arrived: both side by side, nothing was done. */
export function SeenAndNow({ conflict, isBlocked }: { conflict: Conflict; isBlocked: boolean }) {
  return (
    <Alert
      color="orange"
      variant="outline"
      role="alert"
      title="The rollout changed while you were looking"
      bg="var(--gh-surface)"
    >
      <Stack gap="xs">
        <Text size="sm">
          {conflict.detail} Nothing was done. {isBlocked ? "" : "Check what changed, then confirm again or cancel."}
        </Text>
        {conflict.changes.length > 0 && (
          <Table className={classes.seenNow} verticalSpacing={4}>
            <Table.Caption>What you saw, and what is there now</Table.Caption>
            <Table.Thead>
              <Table.Tr>
                <Table.Th scope="col">What</Table.Th>
                <Table.Th scope="col">Seen</Table.Th>
                <Table.Th scope="col">Now</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {conflict.changes.map(({ field, seen, now }) => (
                <Table.Tr key={field}>
                  <Table.Th scope="row">{field}</Table.Th>
                  <Table.Td>{seen === null ? "not known" : formatViewValue(seen)}</Table.Td>
                  <Table.Td className={classes.now}>{formatViewValue(now)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        )}
      </Stack>
    </Alert>
  );
}
