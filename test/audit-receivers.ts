import { readFileSync } from "node:fs";
import type { AddressInfo, Socket } from "node:net";
import { createServer } from "node:tls";

export type SyslogReceiver = {
  port: number;
  /** Whole messages, without their lengths. */
  messages: string[];
  /** What it does with a new connection from now on; by default it reads to the end, then closes. */
  on(how: "read" | "hang" | "close-early"): void;
  close(): Promise<void>;
};

/** Starts a receiver of syslog over TLS (RFC 5425) on loopback. With `clientCa` it asks for a certificate. */
export async function startSyslogReceiver(
  { key, cert }: { key: string; cert: string },
  clientCa?: string,
): Promise<SyslogReceiver> {
  const messages: string[] = [];
  const open = new Set<Socket>();
  let how: "read" | "hang" | "close-early" = "read";
  const server = createServer(
    {
      ...{ key: readFileSync(key), cert: readFileSync(cert), allowHalfOpen: true },
      ...(clientCa === undefined ? {} : { ca: readFileSync(clientCa), requestCert: true, rejectUnauthorized: true }),
    },
    (socket) => {
      const chunks: Buffer[] = [];
      socket.on("error", () => {});
      if (how === "close-early") socket.destroy();
      socket.on("data", (chunk: Buffer) => void chunks.push(chunk));
      socket.on("end", () => {
        if (how === "hang") return;
        messages.push(...splitFrames(Buffer.concat(chunks)));
        socket.end();
      });
    },
  );
  server.on("tlsClientError", () => {});
  server.on("connection", (socket: Socket) => {
    open.add(socket);
    socket.on("close", () => open.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    messages,
    on: (next) => {
      how = next;
    },
    close: () => {
      for (const socket of open) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** Splits octet-counted messages. Throws unless the bytes are whole messages and nothing else. */
export function splitFrames(bytes: Buffer): string[] {
  const found: string[] = [];
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(" ", at);
    const digits = bytes.subarray(at, space).toString("latin1");
    if (!/^[1-9]\d*$/.test(digits)) throw new Error(`no length at ${at}: ${digits}`);
    const end = space + 1 + Number(digits);
    if (end > bytes.length) throw new Error("the last message is cut off");
    found.push(bytes.subarray(space + 1, end).toString("utf8"));
    at = end;
  }
  return found;
}
