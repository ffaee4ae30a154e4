export type LoopMonitor = {
  /** Reports that a loop turns, and how long a turn may take. */
  turn(loop: string, periodMs: number): void;
  /** Forgets a loop that ended as it should. */
  forget(loop: string): void;
  /** Returns the loops that have not turned for three of their periods. */
  findStuck(): string[];
};

/** Monitors whether the process's own loops are alive; knows nothing of databases or clusters. */
export function createLoopMonitor({ now, onTurn }: { now: () => number; onTurn: (loop: string) => void }): LoopMonitor {
  const loops = new Map<string, { at: number; periodMs: number }>();
  return {
    turn(loop, periodMs) {
      loops.set(loop, { at: now(), periodMs });
      onTurn(loop);
    },
    forget: (loop) => loops.delete(loop),
    findStuck: () => [...loops].filter(([, { at, periodMs }]) => now() - at > 3 * periodMs).map(([loop]) => loop),
  };
}
