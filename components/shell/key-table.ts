/** Every key of the console: the one table that both the listener and the help are made from. */
export type KeyCommand =
  | { kind: "go"; href: string }
  | { kind: "palette" }
  | { kind: "search" }
  | { kind: "help" }
  | { kind: "row"; move: 1 | -1 }
  | { kind: "none" };

export type KeyBinding = { keys: readonly string[]; says: string; command: KeyCommand };

/** `mod` is Ctrl, or Cmd on a Mac. Two entries in `keys` are pressed one after the other. No key acts on a cluster. */
export const keyTable: readonly KeyBinding[] = [
  { keys: ["g", "i"], says: "Go to the inbox", command: { kind: "go", href: "/inbox" } },
  { keys: ["g", "r"], says: "Go to the rollouts", command: { kind: "go", href: "/rollouts" } },
  { keys: ["g", "n"], says: "Go to the analysis runs", command: { kind: "go", href: "/analysis-runs" } },
  { keys: ["g", "e"], says: "Go to the releases", command: { kind: "go", href: "/releases" } },
  { keys: ["g", "a"], says: "Go to the audit log", command: { kind: "go", href: "/audit" } },
  { keys: ["g", "s"], says: "Go to the sources", command: { kind: "go", href: "/sources" } },
  { keys: ["mod+k"], says: "Find a page or a rollout", command: { kind: "palette" } },
  { keys: ["/"], says: "Search in this page, or everywhere", command: { kind: "search" } },
  { keys: ["j"], says: "Next row", command: { kind: "row", move: 1 } },
  { keys: ["k"], says: "Row before", command: { kind: "row", move: -1 } },
  { keys: ["Enter"], says: "Open the row", command: { kind: "none" } },
  { keys: ["?"], says: "Show this help", command: { kind: "help" } },
];

export type PressedKey = { key: string; ctrlKey: boolean; metaKey: boolean; altKey: boolean };

/** What a key press means after `pending`, the first half of a two-key command. */
export function findBinding(
  pressed: PressedKey,
  pending: string | undefined,
): KeyBinding | { pending: string } | undefined {
  if (pressed.altKey) return undefined;
  const isModified = pressed.ctrlKey || pressed.metaKey;
  const name = isModified ? `mod+${pressed.key.toLowerCase()}` : pressed.key;
  if (pending !== undefined) {
    const second = keyTable.find(({ keys }) => keys.length === 2 && keys[0] === pending && keys[1] === name);
    if (second !== undefined) return second;
  }
  const whole = keyTable.find(({ keys }) => keys.length === 1 && keys[0] === name);
  if (whole !== undefined) return whole;
  return keyTable.some(({ keys }) => keys.length === 2 && keys[0] === name) ? { pending: name } : undefined;
}
