import { useEffect, useState } from "react";
import { AskError, isAskError } from "#components/argocd/ask.ts";

/** What was read last, and why it could not be read since. Neither: it is being read for the first time. */
export type Reading<Value> = { last?: { value: Value; at: Date }; failure?: AskError };

type Read<Value> = (signal: AbortSignal) => Promise<Value>;

const everyMs = 30_000;

/** Reads at once, every 30 s while the page is visible, and when it becomes visible again. Another `read` starts anew. */
export function useReading<Value>(read: Read<Value>): Reading<Value> {
  const [held, setHeld] = useState<Reading<Value> & { read?: Read<Value> }>({});
  useEffect(() => {
    const controller = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    let hasRead = false;
    let isReading = false;
    const look = async () => {
      clearTimeout(timer);
      isReading = true;
      try {
        const last = hasRead && document.hidden ? undefined : { value: await read(controller.signal), at: new Date() };
        if (controller.signal.aborted) return;
        if (last !== undefined) setHeld({ last, read });
        hasRead = true;
      } catch (error) {
        if (controller.signal.aborted) return;
        const failure = isAskError(error) ? error : new AskError(String(error), "Reload the page.");
        setHeld((before) => ({ ...(before.read === read ? before : { read }), failure }));
      }
      isReading = false;
      timer = setTimeout(look, everyMs);
    };
    const lookIfVisible = () => {
      if (!document.hidden && !isReading) look();
    };
    look();
    document.addEventListener("visibilitychange", lookIfVisible);
    return () => {
      controller.abort();
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", lookIfVisible);
    };
  }, [read]);
  return held.read === read ? held : {};
}
