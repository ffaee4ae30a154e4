import { type FSWatcher, watch } from "node:fs";
import { realpath } from "node:fs/promises";
import { dirname, resolve } from "node:path";

export type FileWatch = {
  /** Watches the folder that the path leads to now, if it has changed. */
  renew(): Promise<void>;
  close(): void;
};

/**
 * Calls `onHint` when something in the file's folder changes. Editors and Kubernetes replace files, and links to them,
 * so watching the file itself does not work. This is only a hint: callers must also check regularly, since a folder
 * that is swapped as a whole causes no notification.
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

/** Returns undefined if the system has no watch left. */
function open(folder: string, onHint: () => void): FSWatcher | undefined {
  try {
    return watch(folder, { persistent: false }, onHint);
  } catch {
    return undefined;
  }
}
