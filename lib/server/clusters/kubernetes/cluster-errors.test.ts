import { describe, expect, it } from "vitest";
import { asUnreachable } from "./cluster-errors.ts";

const errorOf = (fields: { code: string; syscall?: string }) => Object.assign(new Error("failed"), fields);

describe("whether a request may have reached the server", () => {
  it.each([
    { name: "connection refused", error: errorOf({ code: "ECONNREFUSED", syscall: "connect" }), sent: false },
    { name: "refused at every address", error: errorOf({ code: "ECONNREFUSED" }), sent: false },
    { name: "no route", error: errorOf({ code: "EHOSTUNREACH", syscall: "connect" }), sent: false },
    { name: "no such name", error: errorOf({ code: "ENOTFOUND", syscall: "getaddrinfo" }), sent: false },
    { name: "unknown certificate", error: errorOf({ code: "DEPTH_ZERO_SELF_SIGNED_CERT" }), sent: false },
    { name: "route lost while it waited", error: errorOf({ code: "EHOSTUNREACH", syscall: "read" }), sent: true },
    { name: "network lost while it wrote", error: errorOf({ code: "ENETUNREACH", syscall: "write" }), sent: true },
    { name: "reset", error: errorOf({ code: "ECONNRESET", syscall: "read" }), sent: true },
    { name: "time-out", error: errorOf({ code: "UND_ERR_HEADERS_TIMEOUT" }), sent: true },
    {
      name: "wrapped",
      error: new Error("x", { cause: errorOf({ code: "EHOSTUNREACH", syscall: "read" }) }),
      sent: true,
    },
    { name: "anything else", error: new Error("x"), sent: true },
  ])("$name: $sent", ({ error, sent }) => {
    expect(asUnreachable({ cluster: "a", error }).sent).toBe(sent);
  });
});
