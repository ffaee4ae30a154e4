import { availableParallelism } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";

const sources = "{app,bench,bin,components,demo,lib,packages,sandbox,scripts,test}/**";
const exclude = ["**/node_modules/**", "**/.next/**", "**/.gatehouse/**"];
const alias = {
  // The package throws outside of a React server build; its own empty module is what such a build would take.
  "server-only": join(import.meta.dirname, "node_modules/next/dist/compiled/server-only/empty.js"),
};

/**
 * The files of one worker share their modules: loading them again for each file took more than half of the time of the
 * unit tests. A test that replaces a module with `vi.mock` belongs in a file `*.isolated.integration.test.ts`.
 */
const shared = { isolate: false };

/** For hangs alone: machines may be slow and busy. No test asserts a time by them. */
const hangs = { testTimeout: 240_000, hookTimeout: 240_000, expect: { poll: { timeout: 120_000, interval: 20 } } };

const integration = {
  environment: "node",
  globalSetup: ["test/database-setup.ts"],
  ...hangs,
  // Much of a test here is waiting: two would leave a machine of two cores idle for a third of the time.
  maxWorkers: 3,
};

export default defineConfig({
  test: {
    projects: [
      {
        resolve: { alias },
        test: {
          name: "unit",
          include: [`${sources}/*.test.{ts,tsx}`],
          exclude: [...exclude, "**/*.integration.test.ts"],
          environment: "node",
          ...shared,
          // Vitest leaves one core to itself, and does not need it.
          maxWorkers: Math.max(2, availableParallelism() - 1),
          ...hangs,
        },
      },
      {
        resolve: { alias },
        test: {
          name: "integration",
          include: [`${sources}/*.integration.test.ts`],
          exclude: [...exclude, "**/*.isolated.integration.test.ts"],
          ...integration,
          ...shared,
        },
      },
      {
        resolve: { alias },
        test: {
          name: "isolated",
          include: [`${sources}/*.isolated.integration.test.ts`],
          exclude,
          ...integration,
        },
      },
    ],
  },
});
