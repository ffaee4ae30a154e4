import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";

/** A separate disk needs root and a mount namespace, which ends with the process. */
const canMount = spawnSync("unshare", ["-m", "sh", "-c", "mount -t tmpfs tmpfs /mnt"]).status === 0;
const why = canMount ? "" : " (not run here: it needs root, and unshare -m)";

it.runIf(canMount)(
  `the launcher outlives a full disk, and all of it is back once there is room${why}`,
  async () => {
    const directory = mkdtempSync(join(tmpdir(), "gatehouse-full-"));
    const script = join(import.meta.dirname, "testing/full-disk-launcher.ts");
    const mount = 'mount -t tmpfs -o size=400m tmpfs "$1" && exec "$2" --conditions=react-server "$3" "$1"';
    try {
      const { stdout } = await promisify(execFile)(
        "unshare",
        ["-m", "sh", "-c", mount, "sh", directory, process.execPath, script],
        { timeout: 240_000 },
      );
      expect(JSON.parse(stdout)).toEqual({
        childOutlivesIt: true,
        databaseIsBack: true,
        childLogsAgain: true,
        childrenStarted: 2,
        noted: true,
      });
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  },
  300_000,
);
