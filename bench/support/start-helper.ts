import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

export type Helper<Hello> = {
  /** The first message of the process. */
  hello: Hello;
  call<Result>(command: string, input: unknown): Promise<Result>;
  close(): Promise<void>;
};

/** Starts one of this folder's files in a separate process, which answers commands. */
export async function startHelper<Hello = unknown>(file: string, args: readonly string[] = []): Promise<Helper<Hello>> {
  const child = fork(join(import.meta.dirname, file), [...args], {
    execArgv: ["--max-old-space-size=8192"],
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const waiting = new Map<number, { resolve(value: never): void; reject(error: Error): void }>();
  let ids = 0;
  const hello = await new Promise<Hello>((resolve, reject) => {
    child.once("message", (message) => resolve(message as Hello));
    child.once("exit", (code) => reject(new Error(`${file} ended with status ${code}`)));
  });
  child.on("message", ({ id, result, error }: { id: number; result: never; error?: string }) => {
    const asked = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) asked?.resolve(result);
    else asked?.reject(new Error(error));
  });
  child.on("exit", () => {
    for (const { reject } of waiting.values()) reject(new Error(`${file} has ended`));
  });
  return {
    hello,
    call: (command, input) =>
      new Promise((resolve, reject) => {
        const id = ++ids;
        waiting.set(id, { resolve, reject });
        child.send({ id, command, input });
      }),
    close: () => endChild(child),
  };
}

export async function endChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
}
