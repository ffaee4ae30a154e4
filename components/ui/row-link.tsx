import Link from "next/link";
import classes from "#components/ui/row-link.module.css";

type RowLinkProps = { href: string; children: React.ReactNode; label?: string };

/** Renders the link of a row: it covers the whole row and has the row's name. The `j` and `k` keys find it. */
export function RowLink({ href, children, label }: RowLinkProps) {
  return (
    <Link href={href} className={classes.link} data-row-link aria-label={label} prefetch={false}>
      {children}
    </Link>
  );
}
