import { readEnvironment } from "#lib/server/platform/config/environment.ts";
import { hasBrand } from "#lib/util/has-brand.ts";

export type Service = { stop(): Promise<void> };
export type ServiceStack = {
  /** Registers a started service; throws (after stopping it) if the launcher is already shutting down. */
  add<Added extends Service>(service: Added): Added;
};

class StopRequestedError extends Error {
  readonly brand = "stop-requested-error";
}

/**
 * Runs `start`, then waits until SIGINT, SIGTERM, SIGHUP or the death of the parent requests a stop. Then stops the
 * services in reverse order of their start. If `start` fails, stops the services that already run, and throws.
 */
export async function runServices(start: (stack: ServiceStack) => Promise<void>): Promise<number> {
  const services: Service[] = [];
  let isStopping = false;
  const stopRequested = waitForStopRequest();
  const stack: ServiceStack = {
    add: (service) => {
      if (isStopping) {
        void service.stop();
        throw new StopRequestedError();
      }
      services.push(service);
      return service;
    },
  };
  try {
    const started = start(stack);
    // After a stop request, the rest of the start may fail in any way; only a failure before the request counts.
    started.catch(() => {});
    await Promise.race([
      started,
      stopRequested.then(() => {
        throw new StopRequestedError();
      }),
    ]);
    await stopRequested;
    return 0;
  } catch (error) {
    if (hasBrand(error, "stop-requested-error")) return 0;
    throw error;
  } finally {
    isStopping = true;
    for (const service of services.toReversed()) await service.stop();
  }
}

function waitForStopRequest(): Promise<void> {
  return new Promise((resolve) => {
    // The handlers stay: a second Ctrl-C must not cut the orderly stop short and leave processes behind.
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => resolve());
    if (readEnvironment().exitOnStdinClose) {
      process.stdin
        .on("end", resolve)
        .on("close", resolve)
        .on("error", () => resolve());
      process.stdin.resume();
    }
  });
}
