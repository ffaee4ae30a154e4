import { Anchor, Text } from "@mantine/core";
import classes from "#components/ui/link-list.module.css";
import type { Link } from "#lib/contract/common.ts";

/** As text: without the selector some systems draw a coloured picture. */
const arrow = "\u00a0\u2197\ufe0e";

type LinkListProps = {
  links: readonly Link[];
  /** The subject of the links, for people who hear them one by one. */
  about: string;
  /** Shows only the first so many. */
  most?: number;
};

/**
 * Shows links to the outside, in a new tab without referrer and opener. One that comes from the cluster also shows its
 * host: whoever wrote it chose the name as well.
 */
export function LinkList({ links, about, most = links.length }: LinkListProps) {
  return links.slice(0, most).map(({ name, href, source }) => (
    <span key={`${source} ${name} ${href}`} className={`${classes.link} screen-only`}>
      <Anchor
        href={href}
        target="_blank"
        rel="noopener noreferrer nofollow"
        size="sm"
        title={href}
        aria-label={`${name}: ${about} (opens in a new tab)`}
      >
        <bdi>{name}</bdi>
        <span aria-hidden="true">{arrow}</span>
      </Anchor>
      {source === "annotation" && (
        <Text span size="xs" c="dimmed" title="From an annotation of the rollout">
          {new URL(href).host}
        </Text>
      )}
    </span>
  ));
}
