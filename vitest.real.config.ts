import { join } from "node:path";
import { defineConfig } from "vitest/config";

const root = import.meta.dirname;

/** The tier against a real cluster: `npm run test:real`, and no part of `npm test`. */
export default defineConfig({
  root,
  resolve: { alias: { "server-only": join(root, "node_modules/next/dist/compiled/server-only/empty.js") } },
  test: {
    name: "real",
    include: ["test/real/*.real.ts"],
    globalSetup: ["test/real/describe-target.ts", "test/database-setup.ts"],
    environment: "node",
    // One world, whose stories follow one another: some of them take the controller or the API server away.
    fileParallelism: false,
    testTimeout: 240_000,
    hookTimeout: 240_000,
  },
});
