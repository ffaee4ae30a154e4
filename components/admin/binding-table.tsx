"use client";

import { Paper, Table, Text } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import classes from "#components/admin/admin.module.css";
import { ConfigPath } from "#components/admin/admin-frame.tsx";
import { IconAlertTriangle } from "#components/ui/icons.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { TableHead } from "#components/ui/table-parts.tsx";
import type { AdminBinding } from "#lib/contract/admin-access.ts";
import { describeScope } from "#lib/domain/policy/describe-scope.ts";
import { formatList } from "#lib/util/words.ts";

const columns = [
  { header: "Who", width: "34%" },
  { header: "Role", width: "10%" },
  { header: "Where", width: "24%" },
  { header: "Actions", width: "18%" },
  { header: "In the config", width: "14%" },
];

/** Shows the role bindings in their order; on a narrow screen as cards. */
export function BindingTable({ bindings, labelledBy }: { bindings: readonly AdminBinding[]; labelledBy: string }) {
  const isNarrow = useMediaQuery("(max-width: 48em)");
  if (isNarrow)
    return (
      <ul className={classes.cards} aria-labelledby={labelledBy}>
        {bindings.map((binding) => (
          <li key={binding.path} className={classes.card}>
            <Who binding={binding} />
            <Text size="sm" mt={4}>
              <strong>{binding.role}</strong> {describeScope(binding.scope)}
              {binding.role !== "viewer" && `, ${describeActions(binding)}`}
            </Text>
            <ConfigPath path={binding.path} />
          </li>
        ))}
      </ul>
    );
  return (
    <Paper withBorder className={classes.frame}>
      <Table aria-labelledby={labelledBy} className={classes.table}>
        <TableHead columns={columns} />
        <Table.Tbody>
          {bindings.map((binding) => (
            <Table.Tr key={binding.path} data-row>
              <Table.Th scope="row" className={classes.cellName}>
                <Who binding={binding} />
              </Table.Th>
              <Table.Td>{binding.role}</Table.Td>
              <Table.Td>{describeScope(binding.scope)}</Table.Td>
              <Table.Td>{binding.role === "viewer" ? "reads" : describeActions(binding)}</Table.Td>
              <Table.Td>
                <ConfigPath path={binding.path} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}

function Who({ binding }: { binding: AdminBinding }) {
  const { groups, users, subjects, robots, tokens, marks } = binding;
  const lines = [
    { label: "group", names: groups },
    { label: "user", names: users },
    { label: "subject", names: subjects },
    { label: "robot", names: robots },
  ].filter(({ names }) => names.length > 0);
  return (
    <>
      {lines.map(({ label, names }) => (
        <div key={label}>
          <span className={classes.label}>{label}</span> <bdi>{names.join(", ")}</bdi>
        </div>
      ))}
      {tokens.map(({ id, name, expiresAt }) => (
        <div key={id}>
          <span className={classes.label}>token</span> <bdi>{name ?? id}</bdi>
          {expiresAt !== null && (
            <Text span size="sm" c="dimmed" fw={400}>
              {" "}
              expires <RelativeTime at={expiresAt} />
            </Text>
          )}
        </div>
      ))}
      {marks.map(({ text }) => (
        <Text key={text} size="sm" fw={400} className={classes.mark}>
          <IconAlertTriangle size={14} aria-hidden="true" /> <bdi>{text}</bdi>
        </Text>
      ))}
    </>
  );
}

function describeActions({ actions, breakGlass, agentsMayAct }: AdminBinding): string {
  const what = actions.includes("*") ? "every action" : actions.length === 0 ? "no action" : formatList(actions);
  const more = [
    ...(breakGlass ? ["may override a freeze"] : []),
    ...(agentsMayAct ? ["agents hold rollouts back by themselves"] : []),
  ];
  return [what, ...more].join("; ");
}
