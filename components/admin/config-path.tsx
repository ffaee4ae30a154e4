import { Anchor } from "@mantine/core";
import Link from "next/link";
import classes from "#components/admin/admin.module.css";
import { configHref } from "#lib/client/admin-href.ts";

/** Shows a place in the config, and leads to it in the effective config. */
export function ConfigPath({ path }: { path: string }) {
  return (
    <Anchor component={Link} href={configHref(path)} className={classes.path} underline="hover">
      {path}
    </Anchor>
  );
}
