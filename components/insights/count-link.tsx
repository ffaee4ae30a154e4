import { Anchor } from "@mantine/core";
import Link from "next/link";
import type { CountLink } from "#lib/client/insight-links.ts";

type CountedProps = {
  link: CountLink;
  /** Names the counted items for screen readers: "releases of shop/web". Without it, the text is enough. */
  label?: string;
  children?: React.ReactNode;
};

/** Shows a count that leads to its rows; a count of zero leads nowhere. */
export function Counted({ link: { count, href }, label, children }: CountedProps) {
  const text = children ?? count.toLocaleString("en");
  if (count === 0) return <>{text}</>;
  return (
    <Anchor
      component={Link}
      href={href}
      prefetch={false}
      inherit
      aria-label={label === undefined ? undefined : `${labelled(text, count)} ${label}`}
    >
      {text}
    </Anchor>
  );
}

/** The accessible name begins with the visible text. */
function labelled(text: React.ReactNode, count: number): string {
  return typeof text === "string" ? text : String(count);
}
