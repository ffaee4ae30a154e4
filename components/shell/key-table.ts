/** Every key of the console: the listener and the help are both built from this table. */
export type KeyCommand =
  | { kind: "go"; href: string }
  | { kind: "palette" }
  | { kind: "search" }
  | { kind: "help" }
  | { kind: "row"; move: 1 | -1; fromRow?: true }
  | { kind: "times" }
  | { kind: "claim" }
  | { kind: "decide" }
  | { kind: "none" };

export type KeyBinding = {
  keys: readonly string[];
  says: string;
  command: KeyCommand;
  /** Only if the page exists: for an admin of a demo that plays faults. */
  needsFaults?: boolean;
  /** Only for those who administer everything. */
  needsAdmin?: boolean;
};

/**
 * With `fromRow`, the key is the page's own (it scrolls) unless a row has the focus.
 * `mod` is Ctrl, or Cmd on a Mac. Two entries in `keys` are pressed one after the other. No key acts on a cluster.
 * Every page of the rail has `g` and a letter.
 */
export const keyTable: readonly KeyBinding[] = [
  { keys: ["g", "i"], says: "Go to the inbox", command: { kind: "go", href: "/inbox" } },
  { keys: ["g", "r"], says: "Go to the rollouts", command: { kind: "go", href: "/rollouts" } },
  { keys: ["g", "n"], says: "Go to the analysis runs", command: { kind: "go", href: "/analysis-runs" } },
  { keys: ["g", "e"], says: "Go to the releases", command: { kind: "go", href: "/releases" } },
  { keys: ["g", "d"], says: "Go to the findings", command: { kind: "go", href: "/findings" } },
  { keys: ["g", "a"], says: "Go to the audit log", command: { kind: "go", href: "/audit" } },
  { keys: ["g", "s"], says: "Go to the sources", command: { kind: "go", href: "/sources" } },
  { keys: ["g", "t"], says: "Go to the templates", command: { kind: "go", href: "/templates" } },
  { keys: ["g", "x"], says: "Go to the experiments", command: { kind: "go", href: "/experiments" } },
  { keys: ["g", "o"], says: "Go to the insights", command: { kind: "go", href: "/insights" } },
  { keys: ["g", "c"], says: "Go to the controllers", command: { kind: "go", href: "/controllers" } },
  { keys: ["g", "b"], says: "Go to the back-test", command: { kind: "go", href: "/backtest" } },
  { keys: ["g", "l"], says: "Go to the template lab", command: { kind: "go", href: "/template-lab" } },
  { keys: ["g", "m"], says: "Go to my settings", command: { kind: "go", href: "/settings" } },
  { keys: ["g", "p"], says: "Go to the admin's pages", command: { kind: "go", href: "/admin" }, needsAdmin: true },
  { keys: ["g", "f"], says: "Go to the faults", command: { kind: "go", href: "/faults" }, needsFaults: true },
  { keys: ["mod+k"], says: "Find a page or a rollout", command: { kind: "palette" } },
  { keys: ["/"], says: "Search in this page, or everywhere", command: { kind: "search" } },
  { keys: ["j"], says: "Next row", command: { kind: "row", move: 1 } },
  { keys: ["k"], says: "Previous row", command: { kind: "row", move: -1 } },
  { keys: ["ArrowDown"], says: "Next row, from a row", command: { kind: "row", move: 1, fromRow: true } },
  { keys: ["ArrowUp"], says: "Previous row, from a row", command: { kind: "row", move: -1, fromRow: true } },
  { keys: ["Enter"], says: "Open the row", command: { kind: "none" } },
  { keys: ["d"], says: "Open the decision of the row (inbox)", command: { kind: "decide" } },
  { keys: ["c"], says: "Claim the row (inbox)", command: { kind: "claim" } },
  { keys: ["t"], says: "Show times by the clock, or how long ago", command: { kind: "times" } },
  { keys: ["?"], says: "Show this help", command: { kind: "help" } },
];

export type PressedKey = { key: string; ctrlKey: boolean; metaKey: boolean; altKey: boolean };

/** Returns the keys that the reader can use. */
export function listKeys(playsFaults: boolean, isAdmin = false): readonly KeyBinding[] {
  return keyTable.filter(({ needsFaults, needsAdmin }) => (playsFaults || !needsFaults) && (isAdmin || !needsAdmin));
}

/** Returns the binding of a key press after `pending`, the first half of a two-key command. */
export function findBinding(
  pressed: PressedKey,
  pending: string | undefined,
  table: readonly KeyBinding[] = listKeys(false),
): KeyBinding | { pending: string } | undefined {
  if (pressed.altKey) return undefined;
  const isModified = pressed.ctrlKey || pressed.metaKey;
  const name = isModified ? `mod+${pressed.key.toLowerCase()}` : pressed.key;
  if (pending !== undefined) {
    const second = table.find(({ keys }) => keys.length === 2 && keys[0] === pending && keys[1] === name);
    if (second !== undefined) return second;
  }
  const whole = table.find(({ keys }) => keys.length === 1 && keys[0] === name);
  if (whole !== undefined) return whole;
  return table.some(({ keys }) => keys.length === 2 && keys[0] === name) ? { pending: name } : undefined;
}
