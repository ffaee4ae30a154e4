import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { readStartTime } from "./process-identity.ts";
import { rotateLog, type SupervisedChild, superviseChild } from "./supervised-child.ts";

let folder: string;
let logFile: string;
let pids: number[];
let child: SupervisedChild | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "gatehouse-child-"));
  logFile = join(folder, "child.log");
  pids = [];
  vi.spyOn(process.stderr, "write").mockReturnValue(true);
});
afterEach(async () => {
  await child?.stop();
  child = undefined;
  vi.useRealTimers();
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

function supervise(script: string, stopTimeoutMs = 5000): SupervisedChild {
  child = superviseChild({
    name: "child",
    args: () => ["-e", script],
    cwd: folder,
    env: { NODE_ENV: "test" },
    logFile,
    stopTimeoutMs,
    onStart: (pid) => pids.push(pid),
  });
  return child;
}

const lastPid = () => pids.at(-1) ?? 0;
const idle = "console.log('ready ' + process.pid); setInterval(() => {}, 1000);";

describe("superviseChild", () => {
  it("starts a killed child again, and waits for the line of the new one", async () => {
    const running = supervise(idle);
    await running.waitForLine(/^ready \d+$/m, 5000);
    running.settle();
    const first = lastPid();
    process.kill(first, "SIGKILL");
    await expect.poll(() => pids).toHaveLength(2);
    const match = await running.waitForLine(/^ready (\d+)$/m, 5000);
    expect(match[1]).toBe(String(lastPid()));
    expect(lastPid()).not.toBe(first);
  });

  it("gives up on a child that never starts, with its reason and its log", async () => {
    const running = supervise("console.error('cannot find the sky'); process.exit(3);");
    await expect(running.failed).rejects.toThrow(
      /^the child ended \(exit status 3\): cannot find the sky \(log: .*child\.log\)$/,
    );
    expect(pids).toHaveLength(2);
  });

  it("stops the whole group, with what the child has started", async () => {
    const running = supervise(
      "const c = require('node:child_process').spawn('sleep', ['60'], { stdio: 'ignore' }); console.log('helper ' + c.pid); setInterval(() => {}, 1000);",
    );
    const helper = Number((await running.waitForLine(/^helper (\d+)$/m, 5000))[1]);
    await running.stop();
    expect(readStartTime(lastPid())).toBeUndefined();
    await expect.poll(() => readStartTime(helper)).toBeUndefined();
  });

  it("kills a child that does not heed SIGTERM", async () => {
    const running = supervise(`process.on('SIGTERM', () => {}); ${idle}`, 200);
    await running.waitForLine(/^ready/m, 5000);
    await running.stop();
    expect(readStartTime(lastPid())).toBeUndefined();
  });

  it("forgets a planned start when it is told to stop during the pause", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const running = supervise("process.exit(0)");
    running.settle();
    while (vi.getTimerCount() === 0) await new Promise((resolve) => setImmediate(resolve));
    await running.stop();
    expect(vi.getTimerCount()).toBe(0);
    expect(pids).toHaveLength(1);
  });
});

describe("rotateLog", () => {
  it("keeps the log of the last run beside the new one", () => {
    writeFileSync(logFile, "old");
    rotateLog(logFile);
    expect(readFileSync(`${logFile}.1`, "utf8")).toBe("old");
    expect(readFileSync(logFile, "utf8")).toBe("");
  });
});
