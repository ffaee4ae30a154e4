import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { loadOpenPages } from "./start-web-process.ts";

it("asks this process for each page once, below the base path, and survives a page that fails", async () => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    if (asked.length === 1) request.socket.destroy();
    else response.writeHead(307, { location: "http://192.0.2.1/" }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  await loadOpenPages({ port: String((server.address() as AddressInfo).port), basePath: "/gatehouse" });
  server.close();
  expect(asked).toContain("/gatehouse/signin");
  expect(asked).toHaveLength(new Set(asked).size);
  expect(asked.length).toBeGreaterThan(5);
});
