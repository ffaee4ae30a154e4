import { writeSync } from "node:fs";
import { type Logger, pino, stdSerializers } from "pino";
import { redactObject } from "#lib/domain/storable/redact-object.ts";
import { redactText } from "#lib/domain/storable/redact-text.ts";

const maxTries = 20;
const clock = new Int32Array(new SharedArrayBuffer(4));

/**
 * Writes a line, or drops it if it cannot be written: on a full disk, pino's driver would end the process or hang.
 * Waits at most 100 ms for a pipe that is temporarily full (EAGAIN).
 */
function writeToStdout(line: string): void {
  for (let tries = 0; tries < maxTries; tries += 1) {
    try {
      writeSync(1, line);
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") return;
      Atomics.wait(clock, 0, 0, 5);
    }
  }
}

type Options = { level: string; process: string };

/**
 * Creates a log of JSON lines on stdout. Redacts credentials in messages, errors and fields, as in stored data: an API
 * server or a database may repeat them in an error text.
 */
export function createLog({ level, process: name }: Options, destination?: { write(line: string): void }): Logger {
  const options = {
    level,
    base: { process: name },
    redact: { paths: ["*.authorization", "*.cookie", "headers.authorization", "headers.cookie", "*.password"] },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { log: redactFields },
    hooks: {
      logMethod(this: Logger, args: Parameters<pino.LogFn>, method: pino.LogFn): void {
        const redacted = args.map((each: unknown) => (typeof each === "string" ? redactText(each) : each));
        method.apply(this, redacted as Parameters<pino.LogFn>);
      },
    },
  };
  return pino(options, destination ?? { write: writeToStdout });
}

function redactFields(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, redactField(key, value)]));
}

/**
 * Redacts one field. An error has no own fields to walk, so it is serialised first; pino formats other values that are
 * not plain data.
 */
function redactField(key: string, value: unknown): unknown {
  if (value instanceof Error) return redactObject(stdSerializers.err(value));
  const isPlain =
    value !== null && typeof value === "object" && [Object.prototype, null].includes(Object.getPrototypeOf(value));
  return typeof value === "string" || Array.isArray(value) || isPlain
    ? readField(redactObject({ [key]: value }), key)
    : value;
}

function readField(fields: unknown, key: string): unknown {
  return (fields as Record<string, unknown>)[key];
}
