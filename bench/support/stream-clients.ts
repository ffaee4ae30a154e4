// A separate process that opens many SSE clients and reports how long events took to arrive. An event's id contains its
// time of writing: `<milliseconds>-<number>`. Ends with its parent.
import { connect, type Socket } from "node:net";

type Target = { port: number; path: string; token: string };
export type ClientReport = {
  open: number;
  /** Events received in all. */
  events: number;
  /** How many clients received each number of events. */
  eventsPerClient: Record<number, number>;
  /** How many events took that many milliseconds. */
  delays: Record<number, number>;
};
export type ClientCommands = {
  /** Opens clients; `stalled` ones connect and never read. Resolves once all others have received their first bytes. */
  open(input: Target & { count: number; stalled: boolean }): Promise<void>;
  report(input: { reset: boolean }): Promise<ClientReport>;
  close(input: Record<string, never>): Promise<void>;
};

type Client = { socket: Socket; tail: string; events: number };
const clients = new Set<Client>();
let delays = new Map<number, number>();

const marker = '"id":"';

function read(client: Client, chunk: string): void {
  const now = Date.now();
  const text = client.tail + chunk;
  let from = 0;
  for (let at = text.indexOf(marker); at >= 0; at = text.indexOf(marker, from)) {
    const begin = at + marker.length;
    const end = text.indexOf('"', begin);
    if (end < 0) break;
    const delay = now - Number.parseInt(text.slice(begin, end), 10);
    delays.set(delay, (delays.get(delay) ?? 0) + 1);
    client.events += 1;
    from = end;
  }
  // A marker that is cut in two, or one whose value has not arrived yet, is read with the next chunk.
  const last = text.lastIndexOf(marker);
  client.tail = last >= from ? text.slice(last) : text.slice(Math.max(from, text.length - marker.length));
}

function openOne(target: Target, stalled: boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port: target.port, host: "127.0.0.1", noDelay: true });
    const client: Client = { socket, tail: "", events: 0 };
    clients.add(client);
    socket.on("close", () => clients.delete(client));
    socket.on("error", reject);
    socket.write(
      `GET ${target.path} HTTP/1.1\r\nHost: 127.0.0.1:${target.port}\r\nAuthorization: Bearer ${target.token}\r\n\r\n`,
    );
    if (stalled) {
      socket.pause();
      socket.once("connect", () => resolve());
      return;
    }
    socket.setEncoding("latin1");
    socket.once("data", (head: string) => {
      if (head.startsWith("HTTP/1.1 200")) resolve();
      else reject(new Error(`a client was answered ${head.slice(0, head.indexOf("\r"))}`));
    });
    socket.on("data", (chunk: string) => read(client, chunk));
  });
}

const commands: ClientCommands = {
  async open({ count, stalled, ...target }) {
    // Not all at once: a listening socket's queue is short.
    for (let opened = 0; opened < count; opened += 50)
      await Promise.all(Array.from({ length: Math.min(50, count - opened) }, () => openOne(target, stalled)));
  },
  async report({ reset }) {
    const eventsPerClient: Record<number, number> = {};
    let events = 0;
    for (const client of clients) {
      events += client.events;
      eventsPerClient[client.events] = (eventsPerClient[client.events] ?? 0) + 1;
    }
    const report = { open: clients.size, events, eventsPerClient, delays: Object.fromEntries(delays) };
    if (reset) {
      delays = new Map();
      for (const client of clients) client.events = 0;
    }
    return report;
  },
  async close() {
    for (const { socket } of clients) socket.destroy();
    clients.clear();
  },
};

process.on("disconnect", () => process.exit());
process.on("message", ({ id, command, input }: { id: number; command: keyof ClientCommands; input: never }) => {
  commands[command](input).then(
    (result) => process.send?.({ id, result }),
    (error: Error) => process.send?.({ id, error: error.message }),
  );
});
process.send?.({});
