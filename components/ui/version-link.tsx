import { Anchor } from "@mantine/core";
import Link from "next/link";
import { shortenImage } from "#lib/client/describe-images.ts";
import { versionSetHref } from "#lib/client/set-queries.ts";

/** Leads to all rollouts that run or receive the version of this image. */
export function VersionLink({ image }: { image: string | undefined }) {
  const href = image === undefined ? undefined : versionSetHref(image);
  if (image === undefined || href === undefined) return null;
  return (
    <Anchor component={Link} href={href} size="xs" className="screen-only" prefetch={false}>
      Other rollouts of {shortenImage(image)}
    </Anchor>
  );
}
