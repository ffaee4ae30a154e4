"use client";

import Link, { type LinkProps } from "next/link";
import { useState } from "react";

type HoverLinkProps = LinkProps & Omit<React.AnchorHTMLAttributes<HTMLAnchorElement>, keyof LinkProps>;

/** A link whose page is loaded ahead only if it is pointed at or focused: a click never waits behind other pages. */
export function HoverLink(props: HoverLinkProps) {
  const [isNear, setNear] = useState(false);
  const near = () => setNear(true);
  return <Link {...props} prefetch={isNear ? null : false} onMouseEnter={near} onFocus={near} />;
}
