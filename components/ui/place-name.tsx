import classes from "#components/ui/cut-text.module.css";
import { RowLink } from "#components/ui/row-link.tsx";

type PlaceNameProps = { href: string; namespace: string | null; name: string };

/** The link of a row that is named by its place. If it does not fit, the namespace is cut before the name. */
export function PlaceName({ href, namespace, name }: PlaceNameProps) {
  const full = namespace === null ? name : `${namespace}/${name}`;
  return (
    <span className={classes.place} data-full={full}>
      <RowLink href={href} label={full}>
        {namespace !== null && <span className={classes.namespace}>{namespace}</span>}
        {namespace !== null && <span className={classes.slash}>/</span>}
        <span className={classes.name}>{name}</span>
      </RowLink>
    </span>
  );
}
