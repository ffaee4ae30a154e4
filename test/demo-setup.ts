import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startDemo } from "./start-demo.ts";

/** Does Playwright's global set-up: one demo for the whole run, stopped and removed at its end. */
async function setUpDemo(): Promise<() => Promise<void>> {
  const directory = mkdtempSync(join(tmpdir(), "gatehouse-e2e-"));
  const running = await startDemo({ dataDirectory: join(directory, "data") });
  process.env.GATEHOUSE_E2E_DATA_DIR = join(directory, "data");
  process.env.GATEHOUSE_E2E_URL = running.demo.url;
  return async () => {
    const status = await running.stop();
    rmSync(directory, { recursive: true, force: true });
    if (status !== 0) throw new Error(`the demo ended with exit status ${status}`);
  };
}

// biome-ignore lint/style/noDefaultExport: Playwright takes the set-up from the default export.
export default setUpDemo;
