import { expect, it } from "vitest";
import { placeRequest } from "./place-request.ts";

it.each([
  { url: "/inbox?a=b", basePath: "", placed: { own: "/inbox?a=b", next: "/inbox?a=b" } },
  { url: "*", basePath: "", placed: { own: "*", next: "*" } },
  { url: "/tools/gatehouse", basePath: "/tools/gatehouse", placed: { own: "/", next: "/tools/gatehouse" } },
  { url: "/gatehouse/inbox?a=b", basePath: "/gatehouse", placed: { own: "/inbox?a=b", next: "/gatehouse/inbox?a=b" } },
  { url: "/gatehouse/livez", basePath: "/gatehouse", placed: { own: "/livez", next: "/gatehouse/livez" } },
  { url: "/livez", basePath: "/gatehouse", placed: { own: "/livez", next: "/gatehouse/livez" } },
  { url: "/metrics?a=b", basePath: "/gatehouse", placed: { own: "/metrics?a=b", next: "/gatehouse/metrics?a=b" } },
  { url: "/hooks/flagger/a/rollout", basePath: "/gatehouse", placed: { own: "/hooks/flagger/a/rollout" } },
  // A base path may have the name of one of our own.
  { url: "/hooks/hooks/x", basePath: "/hooks", placed: { own: "/hooks/x", next: "/hooks/hooks/x" } },
  { url: "/livezz", basePath: "/gatehouse", placed: undefined },
  { url: "/", basePath: "/gatehouse", placed: undefined },
  { url: "/inbox", basePath: "/gatehouse", placed: undefined },
  { url: "/gatehouses", basePath: "/gatehouse", placed: undefined },
  { url: "//gatehouse/inbox", basePath: "/gatehouse", placed: undefined },
  { url: "/%67atehouse/inbox", basePath: "/gatehouse", placed: undefined },
  { url: "http://host/gatehouse/inbox", basePath: "/gatehouse", placed: undefined },
  { url: "", basePath: "/gatehouse", placed: undefined },
])("places $url below $basePath", ({ url, basePath, placed }) => {
  if (placed === undefined) expect(placeRequest(url, basePath)).toBeUndefined();
  else expect(placeRequest(url, basePath)).toMatchObject(placed);
});
