import { describe, expect, it } from "vitest";
import { makeUuid5 } from "#lib/util/uuid5.ts";

describe("makeUuid5", () => {
  it("gives the UUID that RFC 9562 shows for www.example.com in the DNS namespace", () => {
    const dns = Buffer.from("6ba7b8109dad11d180b400c04fd430c8", "hex");
    expect(makeUuid5({ namespace: dns, name: "www.example.com" })).toBe("2ed6657d-e927-568b-95e1-2665a8aea6a2");
  });
});
