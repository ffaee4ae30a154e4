import { readFileSync } from "node:fs";
import { join } from "node:path";

type Account = { username: string; password: string };

/** demo.json as the launcher writes it (the documented contract of `gatehouse demo`). */
export type Demo = {
  url: string;
  pid: number;
  version: string;
  accounts: Record<"viewer" | "operator" | "admin", Account>;
  tokens: Record<"viewer" | "operator" | "admin", string>;
  databaseUrl: string;
  recorderUrl: string;
  clusters: { name: string; server: string; token: string }[];
  /** Scenario name to `cluster/namespace/Kind/name`. */
  scenarios: Record<string, string>;
};

/** Returns the demo that the browser tests' global set-up started; works only inside Playwright. */
export function readDemo(): Demo {
  const directory = process.env.GATEHOUSE_E2E_DATA_DIR;
  if (directory === undefined)
    throw new Error("no demo is running: the global set-up of playwright.config.ts starts it");
  return readDemoFile(directory);
}

export function readDemoFile(dataDirectory: string): Demo {
  return JSON.parse(readFileSync(join(dataDirectory, "demo.json"), "utf8")) as Demo;
}
