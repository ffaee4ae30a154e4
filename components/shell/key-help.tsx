"use client";

import { Kbd, Modal, Table } from "@mantine/core";
import { listKeys } from "#components/shell/key-table.ts";
import { usePlaysFaults } from "#components/shell/nav-items.ts";
import { useIsAdmin } from "#lib/client/system-queries.ts";

const isMac = typeof navigator !== "undefined" && /Mac|iPhone|iPad/.test(navigator.userAgent);

const keyWords: Readonly<Record<string, string>> = {
  "mod+k": isMac ? "⌘ K" : "Ctrl K",
  ArrowDown: "↓",
  ArrowUp: "↑",
};

export function KeyHelp({ onClose }: { onClose: () => void }) {
  const keys = listKeys(usePlaysFaults(), useIsAdmin());
  return (
    <Modal opened onClose={onClose} title="Keyboard shortcuts" closeButtonProps={{ "aria-label": "Close" }}>
      <Table withRowBorders={false}>
        <Table.Caption>No shortcut acts on a cluster.</Table.Caption>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">Press</Table.Th>
            <Table.Th scope="col">To</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {keys.map(({ keys, says }) => (
            <Table.Tr key={keys.join(" ")}>
              <Table.Td>
                {keys.map((key, index) => (
                  <span key={key}>
                    {index > 0 && " then "}
                    <Kbd>{keyWords[key] ?? key}</Kbd>
                  </span>
                ))}
              </Table.Td>
              <Table.Td>{says}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Modal>
  );
}
