import { defineConfig, devices } from "@playwright/test";
// @ts-expect-error -- plain JavaScript without types: it runs before anything is installed.
import { findBrowser } from "./scripts/find-browser.mjs";

// They take the longest, and begin first: one that began last would keep a single worker busy at the end.
const long = ["faults", "up", "axe", "focus-in-view"].map((name) => `${name}.spec.ts`);

export default defineConfig({
  testDir: "e2e",
  // Each has the whole run's workers; one does not wait for the other.
  projects: [
    { name: "long", testMatch: long },
    { name: "short", testMatch: "*.spec.ts", testIgnore: long },
  ],
  outputDir: "test-results/e2e",
  globalSetup: "./test/demo-setup.ts",
  // Both limits are for hangs alone: machines may be slow and busy.
  timeout: 900_000,
  expect: { timeout: 180_000, toPass: { timeout: 300_000, intervals: [50, 100, 200] } },
  workers: 2,
  forbidOnly: true,
  // Stories of many processes on a busy machine: what needs a second try is named at the end of the run, and is a defect.
  retries: 1,
  reporter: [["list"], ["json", { outputFile: "test-results/e2e.json" }]],
  use: {
    ...devices["Desktop Chrome"],
    // Set by the global set-up; workers read this file again with it in their environment.
    baseURL: process.env.GATEHOUSE_E2E_URL,
    // Tracing takes much of the time of a test: `--trace on` shows one that fails here.
    trace: "on-first-retry",
    screenshot: "only-on-failure",
    // What moves on a page keeps the machine busy, and says nothing that a test asks.
    contextOptions: { reducedMotion: "reduce" },
    launchOptions: {
      executablePath: findBrowser(),
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--no-first-run",
      ],
    },
  },
});
