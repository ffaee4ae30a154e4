import { useRef, useState } from "react";
import { useMe } from "#lib/client/system-queries.ts";
import type { RolloutSummary } from "#lib/contract/rollout.ts";

/** Returns whether an action on the rollout is possible at all. */
export function mayBeChosen({ presence, access }: Pick<RolloutSummary, "presence" | "access">): boolean {
  return presence === "live" && access === "act";
}

/** Rollouts chosen for one action, each as it was when it was chosen. */
export type Chosen = {
  rollouts: readonly RolloutSummary[];
  has(id: string): boolean;
  /** With `isRange`, all from the one that was chosen last. */
  toggle(rollout: RolloutSummary, isRange: boolean): void;
  choose(rollouts: readonly RolloutSummary[]): void;
  drop(rollouts: readonly RolloutSummary[]): void;
  clear(): void;
};

/** Returns whether the reader may act somewhere; a viewer has nothing to choose for. */
export function useMayChoose(): boolean {
  return (useMe().data?.role ?? "viewer") !== "viewer";
}

/** Keeps the chosen rollouts of a list; `listed` are the rows in their order. */
export function useChosen(listed: readonly RolloutSummary[]): Chosen {
  const [chosen, setChosen] = useState<ReadonlyMap<string, RolloutSummary>>(new Map());
  const last = useRef<string>(undefined);
  const add = (rollouts: readonly RolloutSummary[]) =>
    setChosen((before) => {
      const known = rollouts.filter(({ id }) => !before.has(id));
      return new Map([...before, ...known.map((rollout) => [rollout.id, rollout] as const)]);
    });
  const drop = (rollouts: readonly RolloutSummary[]) => {
    const ids = new Set(rollouts.map(({ id }) => id));
    setChosen((before) => new Map([...before].filter(([id]) => !ids.has(id))));
  };
  return {
    rollouts: [...chosen.values()],
    has: (id) => chosen.has(id),
    toggle: (rollout, isRange) => {
      const from = isRange ? listed.findIndex(({ id }) => id === last.current) : -1;
      const to = listed.findIndex(({ id }) => id === rollout.id);
      last.current = rollout.id;
      if (from !== -1 && to !== -1)
        return add(listed.slice(Math.min(from, to), Math.max(from, to) + 1).filter(mayBeChosen));
      if (!chosen.has(rollout.id)) return add([rollout]);
      drop([rollout]);
    },
    choose: add,
    drop,
    clear: () => setChosen(new Map()),
  };
}
