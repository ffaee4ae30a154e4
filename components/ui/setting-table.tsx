import { Group, Paper, Table, Text } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import classes from "#components/ui/setting-table.module.css";
import { TableHead } from "#components/ui/table-parts.tsx";

type SettingTableProps<Item extends { name: string }> = {
  /** In the plural: "Links". */
  label: string;
  items: readonly Item[];
  keyOf: (item: Item) => string;
  nameWidth: string;
  columns: readonly { header: string; width: string; show: (item: Item) => React.ReactNode }[];
  /** Undefined if the items can only be read here. */
  toTools: ((item: Item, index: number) => React.ReactNode) | undefined;
};

/** Shows the items of a setting in their order, each with its tools; on a narrow screen as cards. */
export function SettingTable<Item extends { name: string }>(props: SettingTableProps<Item>) {
  const { label, items, keyOf, nameWidth, columns, toTools } = props;
  const isNarrow = useMediaQuery("(max-width: 48em)");
  if (isNarrow)
    return (
      <ul className={classes.cards} aria-label={label}>
        {items.map((item, index) => (
          <li key={keyOf(item)} className={classes.card}>
            <Group justify="space-between" wrap="nowrap" gap="xs">
              <strong>{item.name}</strong>
              {toTools?.(item, index)}
            </Group>
            {columns.map(({ header, show }) => (
              <Text key={header} size="sm">
                {show(item)}
              </Text>
            ))}
          </li>
        ))}
      </ul>
    );
  const tools = toTools === undefined ? [] : [{ header: "Actions", width: "16%", isHidden: true }];
  return (
    <Paper withBorder className={classes.frame}>
      <Table aria-label={label} className={classes.table}>
        <TableHead columns={[{ header: "Name", width: nameWidth }, ...columns, ...tools]} />
        <Table.Tbody>
          {items.map((item, index) => (
            <Table.Tr key={keyOf(item)} data-row>
              <Table.Th scope="row" className={classes.name}>
                {item.name}
              </Table.Th>
              {columns.map(({ header, show }) => (
                <Table.Td key={header}>{show(item)}</Table.Td>
              ))}
              {toTools !== undefined && <Table.Td>{toTools(item, index)}</Table.Td>}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}
