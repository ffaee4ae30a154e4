// npm run demo:history: plays the six weeks before the demo begins, and packs them into demo/history. Takes about a
// quarter of an hour, and needs libfaketime (Debian: apt-get install faketime).
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { nodeForTypeScript, prepareScript, projectRoot } from "./install.mjs";

const libraries = ["x86_64-linux-gnu", "aarch64-linux-gnu"].map(
  (platform) => `/usr/lib/${platform}/faketime/libfaketimeMT.so.1`,
);
/** A Monday. When it is played does not matter: the history is moved to now when a demo starts. */
const beginsAt = "2026-01-05T07:00:00Z";

await prepareScript();
const library = libraries.find((path) => existsSync(path));
if (library === undefined) {
  process.stderr.write("libfaketime is missing: install it (Debian: apt-get install faketime)\n");
  process.exit(1);
}
const folder = mkdtempSync(join(tmpdir(), "gatehouse-history-"));
const offsetFile = join(folder, "clock");
const offset = (Date.parse(beginsAt) - Date.now()) / 1000;
writeFileSync(offsetFile, `${offset.toFixed(3)}\n`, { mode: 0o644 });
const clock = {
  LD_PRELOAD: library,
  FAKETIME_TIMESTAMP_FILE: offsetFile,
  // Every process sees a jump at once. Timers run in real time.
  ...{ FAKETIME_NO_CACHE: "1", FAKETIME_DONT_FAKE_MONOTONIC: "1", FAKETIME_DONT_RESET: "1", NO_FAKE_STAT: "1" },
};
const { status } = spawnSync(
  nodeForTypeScript(),
  [
    join(projectRoot, "scripts/history/make-history.ts"),
    folder,
    offsetFile,
    offset.toFixed(3),
    ...process.argv.slice(2),
  ],
  { stdio: "inherit", cwd: projectRoot, env: { ...process.env, ...clock } },
);
if (status === 0) rmSync(folder, { recursive: true, force: true });
else process.stderr.write(`logs: ${folder}\n`);
process.exitCode = status ?? 1;
