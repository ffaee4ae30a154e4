import type { Logger } from "pino";
import { isTracing, setTracing, type TracingSettings } from "./tracing.ts";

/** Starts tracing if there are settings. Without them no package of OpenTelemetry is loaded. */
export async function startTracing({
  settings,
  ...process
}: {
  settings: TracingSettings | undefined;
  process: "web" | "recorder";
  log: Pick<Logger, "warn">;
}): Promise<void> {
  if (settings === undefined || isTracing()) return;
  const { openTracing } = await import("./open-telemetry.ts");
  setTracing(openTracing({ settings, ...process }));
}

/** Sends the spans that have ended, and stops tracing. A receiver that does not answer is no failure of ours. */
export async function stopTracing(): Promise<void> {
  await setTracing(undefined)
    ?.close()
    .catch(() => {});
}
