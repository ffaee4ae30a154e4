import classes from "#components/rollouts/rollouts.module.css";
import { pairImages, shortenImage } from "#lib/client/describe-images.ts";
import type { RolloutImage } from "#lib/contract/rollout.ts";

type ImageChangeProps = {
  images: readonly RolloutImage[];
  /** For a table row: if the versions do not fit, both are cut alike. */
  isOneLine?: boolean;
};

/** Shows the stable version and the one being rolled out; the full references are in the title. */
export function ImageChange({ images, isOneLine = false }: ImageChangeProps) {
  const { next, stable } = pairImages(images);
  if (stable === undefined && next === undefined) return <span className={classes.dim}>unknown</span>;
  return (
    <span className={classes.images} data-one-line={isOneLine || undefined}>
      {stable !== undefined && <code title={stable}>{shortenImage(stable)}</code>}
      {next !== undefined && (
        <>
          <span aria-hidden="true">→</span>
          <span className="visually-hidden">to</span>
          <code title={next}>
            <strong>{shortenImage(next)}</strong>
          </code>
        </>
      )}
    </span>
  );
}
