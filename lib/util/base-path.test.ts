import { describe, expect, it } from "vitest";
import { basePathOf, findUrlFault, pathBelow } from "./base-path.ts";

describe("findUrlFault", () => {
  it.each([
    "https://gatehouse.example.com",
    "https://gatehouse.example.com/",
    "http://127.0.0.1:7460",
    "https://host.example.com:8443/gatehouse",
    "https://host.example.com/tools/gate_house-2",
    "http://[::1]:7460/gatehouse",
  ])("accepts %s", (url) => {
    expect(findUrlFault(url)).toBeUndefined();
  });

  it.each([
    { url: "https://host.example.com/gatehouse/", fault: "leave out the slash" },
    { url: "https://host.example.com/gatehouse//", fault: "leave out the slash" },
    { url: "https://host.example.com?a=b", fault: "no query" },
    { url: "https://host.example.com/gatehouse?a=b", fault: "no query" },
    { url: "https://host.example.com/gatehouse#a", fault: "no query and no fragment" },
    { url: "https://host.example.com/a/../gatehouse", fault: "segments such as" },
    { url: "https://host.example.com/..", fault: "segments such as" },
    { url: "https://host.example.com/./gatehouse", fault: "segments such as" },
    { url: "https://host.example.com//gatehouse", fault: "segments such as" },
    { url: "https://host.example.com/a//b", fault: "segments such as" },
    { url: "https://host.example.com/gate%20house", fault: "segments such as" },
    { url: "https://host.example.com/gate house", fault: "segments such as" },
    { url: "https://host.example.com/tor\u00a0haus", fault: "segments such as" },
    { url: "https://host.example.com/_next", fault: "segments such as" },
    { url: "https://host.example.com/a.b", fault: "segments such as" },
    { url: "https://host.example.com/a$&b", fault: "segments such as" },
    { url: 'https://host.example.com/a"b', fault: "segments such as" },
  ])("refuses $url", ({ url, fault }) => {
    expect(findUrlFault(url)).toContain(fault);
  });
});

it.each([
  { url: "https://host.example.com", path: "" },
  { url: "https://host.example.com/", path: "" },
  { url: "https://host.example.com:8443/tools/gatehouse", path: "/tools/gatehouse" },
])("takes $path from $url", ({ url, path }) => {
  expect(basePathOf(url)).toBe(path);
});

it.each([
  { path: "/inbox", basePath: "", below: "/inbox" },
  { path: "/gatehouse", basePath: "/gatehouse", below: "/" },
  { path: "/gatehouse/", basePath: "/gatehouse", below: "/" },
  { path: "/gatehouse?a=b", basePath: "/gatehouse", below: "/?a=b" },
  { path: "/gatehouse/inbox?a=b", basePath: "/gatehouse", below: "/inbox?a=b" },
  { path: "/gatehouse/gatehouse", basePath: "/gatehouse", below: "/gatehouse" },
  { path: "/gatehouses/inbox", basePath: "/gatehouse", below: undefined },
  { path: "/inbox", basePath: "/gatehouse", below: undefined },
  { path: "/x/gatehouse/inbox", basePath: "/gatehouse", below: undefined },
])("finds $below in $path below $basePath", ({ path, basePath, below }) => {
  expect(pathBelow(path, basePath)).toBe(below);
});
