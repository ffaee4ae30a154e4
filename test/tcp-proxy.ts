import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";

export type TcpProxy = {
  port: number;
  /** Returns the same address as `url`, through the proxy. */
  throughProxy(url: string): string;
  /** Keeps all connections open and stops forwarding: a cut line, seen from both ends. */
  silence(): void;
  /** Continues, beginning with the data held back. */
  resume(): void;
  /** Ends all connections and refuses new ones: a server that is down. */
  shut(): Promise<void>;
  /** Accepts connections again. */
  open(): Promise<void>;
  /** Forwards this many more bytes to the server on each connection and then nothing: a sender stopped mid-message. */
  stallAfter(bytes: number): void;
  close(): Promise<void>;
};

type Pair = { client: Socket; server: Socket };

/** Starts a proxy to a TCP server on this machine, for tests that cut the line. */
export async function startTcpProxy(target: { port: number }): Promise<TcpProxy> {
  const pairs = new Set<Pair>();
  let isSilent = false;
  let allowance: number | undefined;

  function pair(client: Socket): void {
    const server = connect(target.port, "127.0.0.1");
    const both = { client, server };
    pairs.add(both);
    let left: number | undefined;
    client.on("data", (chunk) => {
      if (allowance !== undefined) left ??= allowance;
      const part = left === undefined ? chunk : chunk.subarray(0, left);
      if (left !== undefined) left -= part.length;
      if (part.length > 0) server.write(part);
    });
    server.on("data", (chunk) => client.write(chunk));
    const end = (): void => {
      pairs.delete(both);
      client.destroy();
      server.destroy();
    };
    for (const socket of [client, server]) socket.once("close", end).on("error", end);
    if (isSilent) hold(both);
  }

  const hold = ({ client, server }: Pair): void => {
    client.pause();
    server.pause();
  };
  const endAll = (): void => {
    for (const { client } of pairs) client.destroy();
  };
  let listener: Server = createServer(pair);
  const listen = async (port: number): Promise<void> => {
    listener = createServer(pair).listen(port, "127.0.0.1");
    await once(listener, "listening");
  };
  await listen(0);
  const address = listener.address();
  if (address === null || typeof address === "string") throw new Error("the proxy has no port");
  const { port } = address;

  async function shut(): Promise<void> {
    if (!listener.listening) return;
    const closed = once(listener, "close");
    listener.close();
    endAll();
    await closed;
  }

  return {
    port,
    throughProxy(url) {
      const changed = new URL(url);
      changed.port = String(port);
      return changed.href;
    },
    silence() {
      isSilent = true;
      for (const each of pairs) hold(each);
    },
    resume() {
      isSilent = false;
      for (const { client, server } of pairs) {
        client.resume();
        server.resume();
      }
    },
    shut,
    open: () => listen(port),
    stallAfter(bytes) {
      allowance = bytes;
    },
    close: shut,
  };
}
