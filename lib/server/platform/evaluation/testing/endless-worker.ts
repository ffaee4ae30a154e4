// Replaces the evaluation's threads if a test needs one that never ends, or that ends by itself.
import { serveTasks } from "#lib/server/platform/evaluation/serve-tasks.ts";

serveTasks({
  evaluate: ({ successCondition }: { successCondition?: string }) => {
    if (successCondition === "exit") process.exit(1);
    if (successCondition === "throw") throw new Error("thrown in the thread");
    const hoard: unknown[] = [];
    while (successCondition === "memory") hoard.push(Array.from({ length: 10_000 }, (_, index) => ({ index })));
    for (let turn = 0; successCondition === "endless"; turn++) if (turn === -1) break;
    return { phase: "Successful" };
  },
});
