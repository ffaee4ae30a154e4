import { type Logger, pino } from "pino";

/** JSON lines on stdout. Credentials are cut out wherever a request or its headers are logged. */
export function createLog({ level, process: name }: { level: string; process: string }): Logger {
  return pino({
    level,
    base: { process: name },
    redact: { paths: ["*.authorization", "*.cookie", "headers.authorization", "headers.cookie", "*.password"] },
    timestamp: pino.stdTimeFunctions.isoTime,
  });
}
