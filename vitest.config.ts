import { join } from "node:path";
import { defineConfig } from "vitest/config";

const sources = "{app,bench,bin,components,lib,sandbox,scripts,test}/**";
const exclude = ["**/node_modules/**", "**/.next/**", "**/.gatehouse/**"];
const alias = {
  // The package throws outside of a React server build; its own empty module is what such a build would take.
  "server-only": join(import.meta.dirname, "node_modules/next/dist/compiled/server-only/empty.js"),
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
          // Scenarios are played through in the clock's own time, but on whatever machine there is.
          testTimeout: 30_000,
        },
      },
      {
        resolve: { alias },
        test: {
          name: "integration",
          include: [`${sources}/*.integration.test.ts`],
          exclude,
          environment: "node",
          globalSetup: ["test/database-setup.ts"],
          testTimeout: 30_000,
          hookTimeout: 60_000,
          // Much of a test here is waiting: two would leave a machine of two cores idle for a third of the time.
          maxWorkers: 3,
        },
      },
    ],
  },
});
