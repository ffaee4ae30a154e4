import { Table } from "@mantine/core";

export type HeadColumn = {
  header: string;
  width?: string;
  align?: "right";
  /** Its cells speak for themselves, such as buttons: only screen readers are told. */
  isHidden?: boolean;
};

/** Renders the head of a plain table. Lists with sorting and cards have `ItemTable`. */
export function TableHead({ columns }: { columns: readonly HeadColumn[] }) {
  return (
    <Table.Thead>
      <Table.Tr>
        {columns.map(({ header, width, align, isHidden }) => (
          <Table.Th key={header} scope="col" w={width} ta={align}>
            {isHidden ? <span className="visually-hidden">{header}</span> : header}
          </Table.Th>
        ))}
      </Table.Tr>
    </Table.Thead>
  );
}
