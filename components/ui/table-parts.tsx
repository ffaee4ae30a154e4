import { Table } from "@mantine/core";
import Link from "next/link";
import classes from "#components/ui/row-link.module.css";

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

type RowLinkProps = { href: string; children: React.ReactNode; label?: string };

/** Renders the link of a row: it covers the whole row and has the row's name. The `j` and `k` keys find it. */
export function RowLink({ href, children, label }: RowLinkProps) {
  return (
    <Link href={href} className={classes.link} data-row-link aria-label={label} prefetch={false}>
      {children}
    </Link>
  );
}
