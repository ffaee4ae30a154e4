import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { isIP } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { connect } from "node:tls";
import { readOptionalSecret } from "#lib/server/notify/channels/read-secret.ts";
import type { SyslogStreamConfig } from "#lib/server/platform/config/audit-stream-schema.ts";

/** A receiver that is going away resets the connection, or ends it, within this time. */
const settleMs = 100;

/**
 * Sends messages over TLS (RFC 5425), on a connection of their own. Syslog has no acknowledgement: a receiver counts as
 * having read them once it has closed its side after we closed ours. Throws if it did not.
 */
export async function sendSyslog(
  stream: SyslogStreamConfig,
  { messages, timeoutMs, signal }: { messages: string; timeoutMs: number; signal: AbortSignal },
): Promise<void> {
  const { host, port, caFile, certFile } = stream;
  const key = await readOptionalSecret("key", stream.key);
  const ca = caFile === undefined ? undefined : await readFile(caFile, "utf8");
  const cert = certFile === undefined ? undefined : await readFile(certFile, "utf8");
  const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  const socket = connect({
    ...{ host, port },
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert, key }),
  });
  // The receiver says nothing, but without being read its end would not be seen.
  socket.resume();
  let isSent = false;
  try {
    await once(socket, "secureConnect", { signal: limit });
    const ended = once(socket, "end", { signal: limit });
    const sent = new Promise<void>((resolve) => socket.write(messages, () => resolve()));
    await Promise.race([ended, sent.then(() => sleep(settleMs))]);
    if (socket.readable) {
      isSent = true;
      socket.end();
    }
    await ended;
  } catch (error) {
    throw limit.aborted ? limit.reason : error;
  } finally {
    socket.on("error", () => {});
    socket.destroy();
  }
  if (!isSent) throw Object.assign(new Error("closed before all was sent"), { code: "CLOSED_EARLY" });
}
