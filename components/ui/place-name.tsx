import classes from "#components/ui/cut-text.module.css";
import { RowLink } from "#components/ui/table-parts.tsx";

type Place = { namespace: string | null; name: string };

type PlaceNameProps = Place & {
  href: string;
  /** Name of the link, if the place alone is ambiguous: "payments/checkout, revision 12". */
  label?: string;
};

/** The link of a row that is named by its place. If it does not fit, the namespace is cut before the name. */
export function PlaceName({ href, label, ...place }: PlaceNameProps) {
  const full = nameOf(place);
  return (
    <span className={classes.place} data-full={full}>
      <RowLink href={href} label={label ?? full}>
        <Parts {...place} />
      </RowLink>
    </span>
  );
}

/** The same without a link, for cells and lines of a row. Screen readers would read the parts as three words. */
export function PlaceText(place: Place) {
  const full = nameOf(place);
  return (
    <>
      <span className="visually-hidden">{full}</span>
      <span className={classes.placeText} data-full={full} aria-hidden="true">
        <Parts {...place} />
      </span>
    </>
  );
}

function Parts({ namespace, name }: Place) {
  return (
    <>
      {namespace !== null && (
        <span className={classes.namespace} style={{ minWidth: `min(2.5rem, ${0.45 * namespace.length}em)` }}>
          {namespace}
        </span>
      )}
      {namespace !== null && <span className={classes.slash}>/</span>}
      <span className={classes.name}>{name}</span>
    </>
  );
}

function nameOf({ namespace, name }: Place): string {
  return namespace === null ? name : `${namespace}/${name}`;
}
