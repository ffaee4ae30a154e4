import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync, renameSync, statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { computeBackoff } from "#lib/util/compute-backoff.ts";
import { CommandError } from "../command-line.ts";
import { signalGroup } from "./process-identity.ts";

export type ChildSpec = {
  name: string;
  /** Returns arguments for node; called at every start, since a restarted child may have to keep its port. */
  args(): string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
  logFile: string;
  /** The whole group is killed this long after SIGTERM. */
  stopTimeoutMs: number;
  onStart(pid: number): void;
};

export type SupervisedChild = {
  name: string;
  /** Rejects if the child ends twice before `settle` was called; never resolves. */
  failed: Promise<never>;
  /** Marks the first start as complete: from now on the child is restarted forever, with increasing delays. */
  settle(): void;
  /** Waits for a line in the running child's log since its start. */
  waitForLine(pattern: RegExp, timeoutMs: number): Promise<RegExpExecArray>;
  stop(): Promise<void>;
};

const startsBeforeGivingUp = 2;
const longestPauseMs = 10_000;
const steadyAfterMs = 30_000;

/**
 * Runs a node process in its own process group and restarts it when it ends. We hold its stdin pipe open: however this
 * launcher dies, the child sees the end of stdin and stops itself.
 */
export function superviseChild(spec: ChildSpec): SupervisedChild {
  let child: ChildProcess | undefined;
  let stopping = false;
  let settled = false;
  let quickEnds = 0;
  let logOffset = 0;
  let restartTimer: NodeJS.Timeout | undefined;
  let fail: (error: Error) => void = () => {};
  const failed = new Promise<never>((_, reject) => {
    fail = reject;
  });
  failed.catch(() => {});

  function start(): void {
    const startedAt = Date.now();
    const log = openLog(spec.logFile);
    logOffset = statSync(spec.logFile, { throwIfNoEntry: false })?.size ?? 0;
    child = spawn(process.execPath, spec.args(), {
      cwd: spec.cwd,
      env: spec.env,
      detached: true,
      stdio: ["pipe", log ?? "ignore", log ?? "ignore"],
    });
    if (log !== undefined) closeSync(log);
    child.stdin?.on("error", () => {});
    child.once("error", (error) => ended(`cannot be started: ${error.message}`, startedAt));
    child.once("exit", (code, signal) => {
      // A helper that the child left in its group must not hold its port.
      if (child?.pid !== undefined) signalGroup(child.pid, "SIGKILL");
      ended(`ended (${signal ?? `exit status ${code}`})`, startedAt);
    });
    if (child.pid !== undefined) spec.onStart(child.pid);
  }

  function ended(how: string, startedAt: number): void {
    child = undefined;
    if (stopping) return;
    quickEnds = Date.now() - startedAt > steadyAfterMs ? 1 : quickEnds + 1;
    if (!settled && quickEnds >= startsBeforeGivingUp) {
      const reason = lastLine(spec.logFile, logOffset);
      fail(
        new CommandError(`the ${spec.name} ${how}${reason === undefined ? "" : `: ${reason}`} (log: ${spec.logFile})`),
      );
      return;
    }
    const pauseMs = computeBackoff({ firstMs: 250, longestMs: longestPauseMs, doublings: quickEnds - 1 });
    // A failing start is reported in one line at the end, not once per attempt.
    if (settled) {
      process.stderr.write(`gatehouse: the ${spec.name} ${how}; restarting it in ${pauseMs / 1000} s\n`);
    }
    restartTimer = setTimeout(start, pauseMs);
  }

  start();
  return {
    name: spec.name,
    failed,
    settle: () => {
      settled = true;
      quickEnds = 0;
    },
    waitForLine: async (pattern, timeoutMs) => {
      for (let waitedMs = 0; waitedMs < timeoutMs; waitedMs += 50) {
        const match = pattern.exec(readFileSync(spec.logFile).subarray(logOffset).toString());
        if (match !== null) return match;
        await Promise.race([sleep(50), failed]);
      }
      throw new CommandError(`the ${spec.name} was not ready within ${timeoutMs / 1000} s (log: ${spec.logFile})`);
    },
    stop: async () => {
      stopping = true;
      clearTimeout(restartTimer);
      const running = child;
      if (running?.pid === undefined) return;
      const { pid } = running;
      const exited = new Promise<void>((resolve) => running.once("exit", () => resolve()));
      signalGroup(pid, "SIGTERM");
      const timer = setTimeout(() => signalGroup(pid, "SIGKILL"), spec.stopTimeoutMs);
      await exited;
      clearTimeout(timer);
    },
  };
}

/** Opens a log; returns undefined if there is no room for a new file: then the process runs without a log. */
function openLog(file: string): number | undefined {
  try {
    return openSync(file, "a", 0o600);
  } catch (error) {
    process.stderr.write(`gatehouse: ${file} cannot be opened: ${(error as Error).message}\n`);
    return undefined;
  }
}

/** Renames the log of the last run to `.1`, and starts an empty one. */
export function rotateLog(file: string): void {
  if (existsSync(file)) renameSync(file, `${file}.1`);
  closeSync(openSync(file, "w", 0o600));
}

function lastLine(file: string, offset: number): string | undefined {
  const lines = readFileSync(file).subarray(offset).toString().split("\n");
  const line =
    lines.findLast((text) => /error|cannot|refus|invalid/i.test(text)) ?? lines.findLast((text) => text.trim() !== "");
  return line?.trim().slice(0, 300);
}
