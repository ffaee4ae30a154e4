import { Anchor } from "@mantine/core";
import Link from "next/link";
import type { CountLink } from "#lib/client/insight-links.ts";

type CountedProps = {
  link: CountLink;
  /** What is counted, for those who do not see the column: "releases of shop/web". Without it, the text says it. */
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

/** The accessible name begins with what is seen. */
function labelled(text: React.ReactNode, count: number): string {
  return typeof text === "string" ? text : String(count);
}
