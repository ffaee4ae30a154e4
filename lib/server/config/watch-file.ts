import { type FSWatcher, watch } from "node:fs";
import { realpath } from "node:fs/promises";
import { dirname, resolve } from "node:path";

export type FileWatch = {
  /** Watches the folder that the path leads to now, where it is another one than before. */
  renew(): Promise<void>;
  close(): void;
};

/**
 * Calls `onHint` when something in the file's folder changes: editors and Kubernetes replace files, and links to them,
 * so the file itself is not what to watch. Only a hint: whoever calls this looks regularly as well, since a folder that
 * is swapped as a whole tells nobody.
 */
export function watchFile(file: string, onHint: () => void): FileWatch {
  let folder: string | undefined;
  let watcher: FSWatcher | undefined;
  let isClosed = false;

  const renew = async (): Promise<void> => {
    const now = await realpath(dirname(resolve(file))).catch(() => undefined);
    if (isClosed || now === folder) return;
    folder = now;
    watcher?.close();
    watcher = now === undefined ? undefined : open(now, onHint);
    watcher?.on("error", () => (folder = undefined));
  };
  return {
    renew,
    close: () => {
      isClosed = true;
      watcher?.close();
    },
  };
}

/** Undefined where the system has no watch left to give. */
function open(folder: string, onHint: () => void): FSWatcher | undefined {
  try {
    return watch(folder, { persistent: false }, onHint);
  } catch {
    return undefined;
  }
}
