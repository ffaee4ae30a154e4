"use client";

import { Button } from "@mantine/core";

/** Shows how many rows arrived while someone was reading: "3 new". */
export function FreshChip({ count, onShow }: { count: number; onShow: () => void }) {
  return (
    <div role="status" style={{ position: "sticky", top: 60, zIndex: 5, textAlign: "center", height: 0 }}>
      {count > 0 && (
        <Button size="compact-sm" radius="xl" onClick={onShow}>
          {count} new
        </Button>
      )}
    </div>
  );
}
