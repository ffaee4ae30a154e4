"use client";

import { Button } from "@mantine/core";
import classes from "#components/ui/fresh-chip.module.css";

/** Shows how many rows arrived while someone was reading: "3 new". */
export function FreshChip({ count, onShow }: { count: number; onShow: () => void }) {
  return (
    <div role="status" className={classes.place}>
      {count > 0 && (
        <Button size="compact-sm" radius="xl" onClick={onShow}>
          {count} new
        </Button>
      )}
    </div>
  );
}
