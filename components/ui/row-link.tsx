import Link from "next/link";
import classes from "#components/ui/row-link.module.css";

type RowLinkProps = { href: string; children: React.ReactNode; label?: string };

/** The link of a row: its area is the whole row, its name is the row's. Found by the `j` and `k` keys. */
export function RowLink({ href, children, label }: RowLinkProps) {
  return (
    <Link href={href} className={classes.link} data-row-link aria-label={label} prefetch={false}>
      {children}
    </Link>
  );
}
