// A separate process that forwards its parent's messages to all its HTTP clients, with nothing in between: the minimum
// cost of a fan-out. Ends with its parent.
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

const responses = new Set<ServerResponse>();
const server = createServer((_request, response) => {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.write(": hello\n\n");
  responses.add(response);
  response.on("close", () => responses.delete(response));
});
process.on("disconnect", () => process.exit());
process.on("message", ({ id, input }: { id: number; input: string }) => {
  const bytes = Buffer.from(input);
  for (const response of responses) response.write(bytes);
  process.send?.({ id });
});
server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }));
